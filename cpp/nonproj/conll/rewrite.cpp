#include "nonproj/conll/rewrite.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include "nonproj/error.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj::conll {

void append_head(std::string& result, std::int32_t head) {
    char digits[16];
    result.append(digits, std::to_chars(digits, digits + sizeof digits, head).ptr);
}

void check_tree(std::span<const std::int32_t> heads, std::size_t sentence) {
    if (const auto fault = find_fault(heads))
        throw Error("the heads given for sentence " + std::to_string(sentence) +
                    " are no tree: " + describe(*fault, heads));
}

std::vector<std::string> rewrite(std::span<const Run> runs, const Changes& changes) {
    const std::size_t words = words_of(runs), given = changes.heads.size();
    if (given != words)
        throw Error("got " + std::to_string(given) + " heads, but the text has " + (given < words ? "more" : "fewer") +
                    " words: give one head for every word");
    if (!changes.deprels.empty() && changes.deprels.size() != given)
        throw Error("got " + std::to_string(changes.deprels.size()) + " relations for " + std::to_string(given) +
                    " heads: give one for every word");
    constexpr std::array both{head, deprel};
    const auto columns = std::span(both).first(changes.deprels.empty() ? 1 : 2);
    std::vector<std::string> texts;
    texts.reserve(runs.size());
    std::size_t sentence = 0, word = 0;
    for (const Run& run : runs) {
        std::string& result = texts.emplace_back();
        if (run.sentences().empty()) continue;
        const std::size_t bytes = run.sentences().back().end - run.sentences().front().begin;
        result.reserve(bytes + bytes / 8);
        for (std::size_t i = 0; i < run.sentences().size(); ++i) {
            const auto size = static_cast<std::size_t>(run.offsets()[i + 1] - run.offsets()[i]);
            check_tree(changes.heads.subspan(word, size), ++sentence);
            rewrite_sentence(run.text(), run.sentences()[i], columns, word, changes.comments, result,
                             [&](Column column, std::size_t at) {
                                 if (column == head)
                                     append_head(result, changes.heads[at]);
                                 else
                                     result += changes.deprels[at];
                             });
            word += size;
        }
    }
    return texts;
}

}  // namespace nonproj::conll
