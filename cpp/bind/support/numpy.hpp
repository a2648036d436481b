// Values computed in the core, handed to NumPy without a copy.
#pragma once
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

#include "support/bind.hpp"

template <class Value, int Dimensions>
using NumpyArray = nb::ndarray<nb::numpy, Value, nb::ndim<Dimensions>>;

template <int Dimensions = 1, class Value>
NumpyArray<Value, Dimensions> to_numpy(std::vector<Value> values, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<Value>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
    return NumpyArray<Value, Dimensions>(kept->data(), shape, owner);
}

// Room that is not cleared first.
template <int Dimensions = 1, class Value>
NumpyArray<Value, Dimensions> to_numpy(std::unique_ptr<Value[]> data, std::initializer_list<std::size_t> shape) {
    Value* const values = data.get();
    nb::capsule owner(values, [](void* pointer) noexcept { delete[] static_cast<Value*>(pointer); });
    data.release();
    return NumpyArray<Value, Dimensions>(values, shape, owner);
}
