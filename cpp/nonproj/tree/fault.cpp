#include "nonproj/tree/fault.hpp"

namespace nonproj {

namespace {

std::vector<std::int32_t> cycle_through(std::span<const std::int32_t> heads, std::int32_t word) {
    std::vector<std::int32_t> cycle{word};
    for (std::int32_t above = heads[word - 1]; above != word; above = heads[above - 1]) cycle.push_back(above);
    return cycle;
}

}  // namespace

std::optional<HeadsFault> find_fault(std::span<const std::int32_t> heads) {
    using Kind = HeadsFault::Kind;
    const auto words = static_cast<std::int32_t>(heads.size());
    bool has_root = words == 0;
    for (std::int32_t word = 1; word <= words; ++word) {
        const std::int32_t head = heads[word - 1];
        if (head < 0 || head > words) return HeadsFault{Kind::out_of_range, word, {}};
        if (head == word) return HeadsFault{Kind::own_head, word, {}};
        has_root |= head == 0;
    }
    if (!has_root) return HeadsFault{Kind::no_root, 0, {}};

    // Walk up from every word, never over the same word twice: met[w] is the word whose walk reached w first,
    // so a walk that meets itself has gone round a cycle.
    std::vector<std::int32_t> met(heads.size() + 1, 0);
    for (std::int32_t start = 1; start <= words; ++start) {
        std::int32_t word = start;
        while (word != 0 && met[word] == 0) {
            met[word] = start;
            word = heads[word - 1];
        }
        if (word != 0 && met[word] == start) return HeadsFault{Kind::cycle, word, cycle_through(heads, word)};
    }
    return std::nullopt;
}

std::string describe(const HeadsFault& fault, std::span<const std::int32_t> heads) {
    using Kind = HeadsFault::Kind;
    const std::string word = "word " + std::to_string(fault.word);
    switch (fault.kind) {
        case Kind::out_of_range:
            return word + " has head " + std::to_string(heads[fault.word - 1]) + ", but the sentence has " +
                   std::to_string(heads.size()) + (heads.size() == 1 ? " word" : " words");
        case Kind::own_head:
            return word + " is its own head";
        case Kind::no_root:
            return "no word has head 0";
        case Kind::cycle:
            break;
    }
    constexpr std::size_t shown = 10;
    std::string path = "words ";
    for (std::size_t i = 0; i < fault.cycle.size() && i < shown; ++i) path += std::to_string(fault.cycle[i]) + " -> ";
    if (fault.cycle.size() > shown) path += "... -> ";
    return path + std::to_string(fault.cycle.front()) + " form a cycle";
}

}  // namespace nonproj
