// Matrices row by row.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace nonproj::learn {

inline void fill_rows(std::vector<float>& matrix, std::size_t rows, std::span<const float> row) {
    matrix.resize(rows * row.size());
    for (std::size_t i = 0; i < rows; ++i) std::copy(row.begin(), row.end(), matrix.begin() + i * row.size());
}

// Multiplies the first numbers of each row by these factors; if there are none, by 1.
inline void multiply_rows(std::span<float> matrix, std::span<const float> factors, std::size_t width) {
    for (std::size_t i = 0; i < matrix.size(); i += width)
        for (std::size_t j = 0; j < factors.size(); ++j) matrix[i + j] *= factors[j];
}
inline void multiply_rows(std::span<float> matrix, std::span<const float> factors) {
    if (!factors.empty()) multiply_rows(matrix, factors, factors.size());
}

inline void add_columns(std::span<const float> matrix, std::size_t width, float* sums) {
    for (std::size_t i = 0; i < matrix.size(); i += width)
        for (std::size_t j = 0; j < width; ++j) sums[j] += matrix[i + j];
}

}  // namespace nonproj::learn
