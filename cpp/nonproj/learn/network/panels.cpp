#include "nonproj/learn/network/panels.hpp"

namespace nonproj::learn {

void add_product(const Left& a, std::size_t rows, std::size_t depth, const Right& b, std::size_t columns,
                 const Product& c) {
    vectorised_widest([&]<int Bytes>() NONPROJ_INLINE_LAMBDA { add_product_by<Bytes>(a, rows, depth, b, columns, c); });
}

void transpose(const Right& from, std::size_t rows, std::size_t columns, float* to) {
    for (std::size_t first = 0; first < rows; first += panel)
        for (std::size_t c = 0; c < columns; ++c)
            for (std::size_t r = first; r < first + panel; ++r)
                *to++ = r < rows ? from.at(r, c / panel)[c % panel] : 0.0f;
}

}  // namespace nonproj::learn
