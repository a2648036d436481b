#include "nonproj/transition/derivations.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "nonproj/error.hpp"
#include "nonproj/parallel_for.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj {

namespace {

void read_tree(std::span<const std::int32_t> heads, Tree& tree) {
    if (heads.size() > max_derivation_words)
        throw Error("a sentence of more than " + std::to_string(max_derivation_words) + " words");
    if (const auto fault = find_fault(heads)) throw Error(describe(*fault, heads));
    tree.assign(heads);
}

void check_offsets(std::span<const std::int64_t> offsets, std::size_t words) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(words) ||
        !std::is_sorted(offsets.begin(), offsets.end()))
        throw Error("offsets must rise from 0 to the number of words");
}

}  // namespace

int checked_derivation_words(std::int64_t words) {
    if (words < 1 || words > max_derivation_words)
        throw Error("the number of words must be from 1 to " + std::to_string(max_derivation_words) + ", not " +
                    std::to_string(words));
    return static_cast<int>(words);
}

Tree checked_tree(std::span<const std::int32_t> heads) {
    Tree tree;
    read_tree(heads, tree);
    return tree;
}

bool find_sequence(const AnySystem& system, std::span<const std::int32_t> heads, std::vector<int>& sequence) {
    thread_local Tree tree;  // its memory serves one tree after the other
    read_tree(heads, tree);
    if (heads.empty()) throw Error("a tree needs at least one word");
    if (system.single_root() && tree.children(0).size() > 1) return false;
    sequence.reserve(4 * heads.size());
    return system.oracle(tree, sequence);
}

Sequences find_sequences(const AnySystem& system, std::span<const std::int32_t> heads,
                         std::span<const std::int64_t> offsets, int threads) {
    check_offsets(offsets, heads.size());
    const std::size_t trees = offsets.size() - 1;
    std::vector<std::vector<int>> found(trees);
    Sequences sequences;
    sequences.lengths.resize(trees);
    parallel_for(trees, threads, [&](std::size_t i) {
        try {
            if (!find_sequence(system, heads.subspan(offsets[i], offsets[i + 1] - offsets[i]), found[i])) {
                found[i].clear();
                sequences.lengths[i] = -1;
                return;
            }
            sequences.lengths[i] = static_cast<std::int32_t>(found[i].size());
        } catch (const Error& error) {
            throw Error("tree " + std::to_string(i) + ": " + error.what());
        }
    });
    std::size_t total = 0;
    for (const auto& sequence : found) total += sequence.size();
    sequences.transitions.reserve(total);
    for (const auto& sequence : found)
        sequences.transitions.insert(sequences.transitions.end(), sequence.begin(), sequence.end());
    return sequences;
}

std::vector<std::int32_t> derive_all(const AnySystem& system, std::span<const std::int32_t> transitions,
                                     std::span<const std::int32_t> lengths, std::span<const std::int64_t> offsets,
                                     int threads) {
    if (offsets.empty() || offsets.size() - 1 != lengths.size()) throw Error("as many lengths as sentences are needed");
    check_offsets(offsets, static_cast<std::size_t>(offsets.back()));
    std::vector<std::size_t> begin(1, 0);
    for (const std::int32_t length : lengths)
        begin.push_back(begin.back() + static_cast<std::size_t>(std::max(0, length)));
    if (begin.back() != transitions.size()) throw Error("the lengths do not add up to the number of transitions");
    std::vector<std::int32_t> heads(static_cast<std::size_t>(offsets.back()), no_head);
    parallel_for(lengths.size(), threads, [&](std::size_t i) {
        if (lengths[i] < 0) return;
        try {
            const int words = checked_derivation_words(offsets[i + 1] - offsets[i]);
            const Derivation derived = system.derive(transitions.subspan(begin[i], begin[i + 1] - begin[i]), words);
            std::copy(derived.heads.begin(), derived.heads.end(), heads.begin() + offsets[i]);
        } catch (const Error& error) {
            throw Error("sentence " + std::to_string(i) + ": " + error.what());
        }
    });
    return heads;
}

}  // namespace nonproj
