// Parsing a whole corpus on several threads.
#pragma once
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
// heads and relations of the i-th sentence, and gives a proof or nothing.
template <class Make, class Parse>
Parses parse_corpus(const Corpus& corpus, const Make& make, const Parse& parse, int threads) {
    Parses parses;
    parses.heads.resize(corpus.words());
    parses.relations.resize(corpus.words());
    parses.proofs.assign(corpus.sentences(), {});
    std::mutex mutex;
    std::vector<decltype(make())> idle;
    parallel_for(corpus.sentences(), threads, [&](std::size_t i) {
        decltype(make()) parser;
        {
            const std::lock_guard lock(mutex);
            if (!idle.empty()) {
                parser = std::move(idle.back());
                idle.pop_back();
            }
        }
        if (!parser) parser = make();
        Interrupt::check();
        const std::size_t begin = corpus.offsets()[i], size = corpus.offsets()[i + 1] - begin;
        const std::span<std::int32_t> heads(parses.heads.data() + begin, size);
        const std::span<std::int32_t> relations(parses.relations.data() + begin, size);
        if constexpr (std::is_void_v<decltype(parse(*parser, i, heads, relations))>)
            parse(*parser, i, heads, relations);
        else
            parses.proofs[i] = parse(*parser, i, heads, relations);
        const std::lock_guard lock(mutex);
        idle.push_back(std::move(parser));
    });
    return parses;
}

}  // namespace nonproj::learn
