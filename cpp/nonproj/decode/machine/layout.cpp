#include "nonproj/decode/machine/layout.hpp"

#include <cassert>
#include <string>

#include "nonproj/decode/machine/rows.hpp"
#include "nonproj/error.hpp"

namespace nonproj::nested {

Layout::Layout(int words, Packings packings) : words_(words), width_(words + 1), packings_(packings) {
    if (words > Row::max_words) throw Error("no chart of this class for " + std::to_string(words) + " words");
    const int n = words, side = n + 2;
    span_.resize(side);
    for (auto* starts : {&triple_, &corners_, &ring_, &gap_, &stack_})
        starts->resize(static_cast<std::size_t>(side) * side);
    std::ptrdiff_t spans = 0, triples = 0, corners = 0, rings = 0, gaps = 0, stacks = 0;
    for (int i = 1; i <= n + 1; ++i) {
        span_[i] = spans - (i - 1);
        spans += n - i + 2;
        for (int j = i; j <= n; ++j) {
            triple_[i * side + j] = triples - j;
            triples += n - j + 1;
            corners_[i * side + j] = corners;
            corners += j + 2 <= n ? behind(j + 1) : 0;
            ring_[i * side + j] = rings;
            const std::ptrdiff_t inner = j - i - 1;
            rings += inner > 0 ? inner * (inner + 1) / 2 : 0;
            gap_[i * side + j] = gaps;
            gaps += static_cast<std::ptrdiff_t>(i - 1) * (n - j);
            stack_[i * side + j] = stacks;
            stacks += i * pairs(n - j + 1);
        }
    }
    const std::ptrdiff_t sizes[] = {width_ * side, width_ * spans, width_ * width_ * side, width_ * triples,
                                    corners,       width_ * rings, width_ * gaps,          stacks};
    start_.push_back(0);
    for (const Packing packing : packings) start_.push_back(start_.back() + sizes[static_cast<int>(packing)]);
    assert(static_cast<double>(size()) == cells(words, packings));
}

std::size_t Layout::size() const { return static_cast<std::size_t>(start_.back()) + row_padding; }

double Layout::cells(int words, Packings packings) {
    const double n = words, width = n + 1, ordered = (n + 1) * n * (n - 1) * (n - 2) / 24;
    const double sizes[] = {width * (n + 2),
                            width * (n + 1) * (n + 2) / 2,
                            width * width * (n + 2),
                            width * (n + 2) * (n + 1) * n / 6,
                            ordered,
                            width * ordered,
                            width * ordered,
                            (n + 4) * (n + 3) * (n + 2) * (n + 1) * n / 120};
    double total = row_padding;
    for (const Packing packing : packings) total += sizes[static_cast<int>(packing)];
    return total;
}

}  // namespace nonproj::nested
