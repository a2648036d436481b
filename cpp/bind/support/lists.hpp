// Lists of Python as vectors. nanobind's own casters may not throw: too little memory in one ends the process, and the
// relations of a treebank are many. Here it is a MemoryError.
#pragma once
#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "support/bind.hpp"

template <class Value>
std::vector<Value> vector_of(const nb::typed<nb::list, Value>& list) {
    std::vector<Value> made;
    made.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const nb::object each = list[i];
        if constexpr (std::is_same_v<Value, std::string>) {
            Py_ssize_t size = 0;
            const char* const text = PyUnicode_AsUTF8AndSize(each.ptr(), &size);
            if (text == nullptr) throw nb::python_error();
            made.emplace_back(text, size);
        } else {
            made.push_back(nb::cast<const Value&>(each));
        }
    }
    return made;
}
