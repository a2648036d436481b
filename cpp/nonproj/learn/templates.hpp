// Features made of one view of each of several words, such as the tag of a head with the lemma of its dependent.
//
// The share of every word in every feature is worked out beforehand for each role that the word may have: a feature then
// costs an addition a word, and the compiler takes several features at once.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "nonproj/learn/hash.hpp"
#include "nonproj/learn/views.hpp"
#include "nonproj/learn/weights.hpp"

namespace nonproj::learn {

// `Of` is a table of views: a row for every feature, a column for every role. `kind` keeps tables apart.
template <auto& Of, Hash kind>
class Templates {
    using Array = std::remove_reference_t<decltype(Of)>;
    static constexpr std::size_t count = std::extent_v<Array, 0>, roles = std::extent_v<Array, 1>;

  public:
    void assign(const Views& views) {
        const int none_at = views.size() + 1;
        shares_.resize(static_cast<std::size_t>(none_at) + 1);
        for (int i = 0; i < none_at; ++i) fill(shares_[i], [&](View view) { return views(i, view); });
        fill(shares_[none_at], [](View view) { return view == View::none ? 0 : mixed(static_cast<Hash>(view)); });
    }

    // The line of every feature of these words, one for each role; -1 stands for no word. `taken` gets them as a span.
    template <class Take, class... Words>
    void lines(const Addressing& at, const Take& taken, Words... words) const {
        static_assert(sizeof...(Words) == roles);
        Row lines{};
        std::size_t role = 0;
        (add(lines, shares_[words < 0 ? shares_.size() - 1 : words][role++]), ...);
        for (std::uint32_t& line : lines) line = at.line(line);
        taken(std::span<const std::uint32_t>(lines).template first<count>());
    }

  private:
    static constexpr std::size_t padded = (count + 3) / 4 * 4;
    using Row = std::array<std::uint32_t, padded>;
    static constexpr std::array<Hash, count> seeds = [] {
        std::array<Hash, count> seeds{};
        for (std::size_t t = 0; t < count; ++t) seeds[t] = mixed(kind + t);
        return seeds;
    }();

    template <class ViewOf>
    static void fill(std::array<Row, roles>& rows, const ViewOf& view_of) {
        for (std::size_t role = 0; role < roles; ++role)
            for (std::size_t t = 0; t < count; ++t)
                // Views are well mixed: a product by an odd number tells the roles apart.
                rows[role][t] =
                    static_cast<std::uint32_t>(((view_of(Of[t][role]) + seeds[t]) * (golden + 2 * role)) >> 32);
    }
    static void add(Row& sums, const Row& shares) {
        for (std::size_t t = 0; t < padded; ++t) sums[t] += shares[t];
    }

    std::vector<std::array<Row, roles>> shares_;
};

}  // namespace nonproj::learn
