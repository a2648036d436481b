// Parsing a whole corpus on several threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "nonproj/interrupt.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/parses.hpp"
#include "nonproj/parallel_for.hpp"
#include "nonproj/workspaces.hpp"

namespace nonproj::learn {

// Each thread takes a parser from `parsers`, or else from make(), which gives a pointer to one; parse(parser, i, place, heads, relations) writes
// the heads and relations of the i-th sentence, and gives a proof or nothing. A parser takes so many sentences one after
// the other, after begin_group(parser, their numbers): `place` is that of the sentence among them. Sentences of a group
// are of much the same length; the longest come first, so that threads end together.
template <class Parser, class Make, class Begin, class Parse>
Parses parse_corpus(const Corpus& corpus, Workspaces<Parser>& parsers, const Make& make, std::size_t together,
                    const Begin& begin_group, const Parse& parse, int threads) {
    Parses parses;
    parses.heads.resize(corpus.words());
    parses.relations.resize(corpus.words());
    parses.proofs.assign(corpus.sentences(), {});
    std::vector<std::size_t> order(corpus.sentences());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto words = [&](std::size_t i) { return corpus.offsets()[i + 1] - corpus.offsets()[i]; };
    std::ranges::stable_sort(order, std::greater(), words);
    parallel_for((corpus.sentences() + together - 1) / together, threads, [&](std::size_t group) {
        const auto parser = parsers.take(make);
        const std::size_t first = group * together;
        const auto members = std::span(order).subspan(first, std::min(together, order.size() - first));
        Interrupt::check();
        begin_group(*parser, members);
        for (std::size_t place = 0; place < members.size(); ++place) {
            Interrupt::check();
            const std::size_t i = members[place], begin = corpus.offsets()[i];
            const std::span<std::int32_t> heads(parses.heads.data() + begin, words(i));
            const std::span<std::int32_t> relations(parses.relations.data() + begin, words(i));
            if constexpr (std::is_void_v<decltype(parse(*parser, i, place, heads, relations))>)
                parse(*parser, i, place, heads, relations);
            else
                parses.proofs[i] = parse(*parser, i, place, heads, relations);
        }
    });
    return parses;
}

}  // namespace nonproj::learn
