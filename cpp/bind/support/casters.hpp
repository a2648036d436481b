// Lists and texts of Python as vectors and strings. nanobind's own casters may not throw while they read, so that too
// little memory in one ends the process; these remember it, and throw when the function asks for what they read.
// Included instead of nanobind/stl/vector.h and nanobind/stl/string.h.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/detail/nb_list.h>

#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace nanobind::detail {

// What is read, or that there was no memory for it.
template <class Value_>
struct read_or_no_memory {
    using Value = Value_;
    template <class T>
    using Cast = movable_cast_t<T>;
    template <class T>
    static constexpr bool can_cast() {
        return true;
    }
    explicit operator Value*() { return &read(); }
    explicit operator Value&() { return read(); }
    explicit operator Value&&() { return static_cast<Value&&>(read()); }

  protected:
    template <class Read>
    bool try_to(Read read) noexcept {
        try {
            return read();
        } catch (const std::bad_alloc&) {
            has_memory_ = false;
            return true;
        }
    }
    Value value_;

  private:
    Value& read() {
        if (!has_memory_) throw std::bad_alloc();
        return value_;
    }
    bool has_memory_ = true;
};

template <>
struct type_caster<std::string> : read_or_no_memory<std::string> {
    static constexpr auto Name = const_name("str");

    bool from_python(handle given, std::uint32_t, cleanup_list*) noexcept {
        if (!PyUnicode_Check(given.ptr())) return false;
        Py_ssize_t size = 0;
        const char* const text = PyUnicode_AsUTF8AndSize(given.ptr(), &size);
        if (text == nullptr) {
            const bool is_memory = PyErr_ExceptionMatches(PyExc_MemoryError) != 0;
            PyErr_Clear();
            return is_memory && this->try_to([]() -> bool { throw std::bad_alloc(); });
        }
        return this->try_to([&] {
            value_.assign(text, static_cast<std::size_t>(size));
            return true;
        });
    }
    static handle from_cpp(const std::string& text, rv_policy, cleanup_list*) noexcept {
        return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    }
};

template <class Entry>
struct type_caster<std::vector<Entry>> : read_or_no_memory<std::vector<Entry>> {
    using Writer = list_caster<std::vector<Entry>, Entry>;
    static constexpr auto Name = Writer::Name;

    bool from_python(handle given, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        PyObject* const list = given.ptr();
        if (PySequence_Check(list) == 0 || PyUnicode_Check(list) || PyBytes_Check(list)) return false;
        const Py_ssize_t size = PySequence_Size(list);
        if (size < 0) {
            PyErr_Clear();
            return false;
        }
        return this->try_to([&] {
            this->value_.reserve(static_cast<std::size_t>(size));
            make_caster<Entry> caster;
            for (Py_ssize_t i = 0; i < size; ++i) {
                const object each = steal(PySequence_GetItem(list, i));
                if (!each.is_valid()) PyErr_Clear();
                if (!each.is_valid() || !caster.from_python(each, flags_for_local_caster<Entry>(flags), cleanup) ||
                    !caster.template can_cast<Entry>())
                    return false;
                this->value_.push_back(caster.operator cast_t<Entry>());
            }
            return true;
        });
    }
    template <class Given>
    static handle from_cpp(Given&& list, rv_policy policy, cleanup_list* cleanup) noexcept {
        return Writer::from_cpp(std::forward<Given>(list), policy, cleanup);
    }
};

}  // namespace nanobind::detail
