// Parsing a whole corpus on several threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "nonproj/interrupt.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/parses.hpp"
#include "nonproj/parallel_for.hpp"

namespace nonproj::learn {

// Each thread takes a parser from make(), which gives a pointer to one; parse(parser, i, heads, relations) writes the
// heads and relations of the i-th sentence, and gives a proof or nothing. A parser takes so many sentences one after the
// other, after begin_group(parser, first, last).
template <class Make, class Begin, class Parse>
Parses parse_corpus(const Corpus& corpus, const Make& make, std::size_t together, const Begin& begin_group,
                    const Parse& parse, int threads) {
    Parses parses;
    parses.heads.resize(corpus.words());
    parses.relations.resize(corpus.words());
    parses.proofs.assign(corpus.sentences(), {});
    std::mutex mutex;
    std::vector<decltype(make())> idle;
    parallel_for((corpus.sentences() + together - 1) / together, threads, [&](std::size_t group) {
        decltype(make()) parser;
        {
            const std::lock_guard lock(mutex);
            if (!idle.empty()) {
                parser = std::move(idle.back());
                idle.pop_back();
            }
        }
        if (!parser) parser = make();
        const std::size_t first = group * together, last = std::min(first + together, corpus.sentences());
        Interrupt::check();
        begin_group(*parser, first, last);
        for (std::size_t i = first; i < last; ++i) {
            Interrupt::check();
            const std::size_t begin = corpus.offsets()[i], size = corpus.offsets()[i + 1] - begin;
            const std::span<std::int32_t> heads(parses.heads.data() + begin, size);
            const std::span<std::int32_t> relations(parses.relations.data() + begin, size);
            if constexpr (std::is_void_v<decltype(parse(*parser, i, heads, relations))>)
                parse(*parser, i, heads, relations);
            else
                parses.proofs[i] = parse(*parser, i, heads, relations);
        }
        const std::lock_guard lock(mutex);
        idle.push_back(std::move(parser));
    });
    return parses;
}

// One sentence at a time.
template <class Make, class Parse>
Parses parse_corpus(const Corpus& corpus, const Make& make, const Parse& parse, int threads) {
    return parse_corpus(corpus, make, 1, [](auto&, std::size_t, std::size_t) {}, parse, threads);
}

}  // namespace nonproj::learn
