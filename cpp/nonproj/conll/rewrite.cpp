#include "nonproj/conll/rewrite.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <string_view>
#include <utility>

#include "nonproj/error.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj::conll {

namespace {

class Rewriter {
  public:
    explicit Rewriter(const Changes& changes) : changes_(changes) {}

    std::string operator()(const Run& run) {
        text_ = run.text();
        result_.clear();
        if (run.sentences().empty()) return {};
        const std::size_t size = run.sentences().back().end - run.sentences().front().begin;
        result_.reserve(size + size / 8);
        for (std::size_t i = 0; i < run.sentences().size(); ++i) {
            const auto words = static_cast<std::size_t>(run.offsets()[i + 1] - run.offsets()[i]);
            check_tree(changes_.heads.subspan(word_, words));
            add_sentence(run.sentences()[i], word_ + words);
        }
        return std::move(result_);
    }

  private:
    void check_tree(std::span<const std::int32_t> heads) {
        ++sentence_;
        if (const auto fault = find_fault(heads))
            throw Error("the heads given for sentence " + std::to_string(sentence_) +
                        " are no tree: " + describe(*fault, heads));
    }

    // What lies between the changed cells is copied in one piece.
    void add_sentence(const Span& sentence, std::size_t end_word) {
        copied_ = sentence.begin;
        bool has_rows = false;
        each_line(text_, sentence, [&](const Line& line) {
            if (text_[line.begin] == '#') return;
            if (!has_rows) add_comments(line);
            has_rows = true;
            if (is_word(text_, line)) add_word(line);
        });
        assert(word_ == end_word);
        word_ = end_word;
        copy_until(sentence.end);
    }

    void copy_until(std::size_t end) {
        result_ += text_.substr(copied_, end - copied_);
        copied_ = end;
    }

    void add_comments(const Line& first_row) {
        if (changes_.comments.empty()) return;
        copy_until(first_row.begin);
        const std::string_view end = text_.substr(first_row.end, first_row.next - first_row.end);
        for (const std::string& comment : changes_.comments) (result_ += comment) += end.ends_with('\n') ? end : "\n";
    }

    void add_word(const Line& line) {
        copy_until(line.column_begin(head));
        char digits[16];
        const auto written = std::to_chars(digits, digits + sizeof digits, changes_.heads[word_]);
        result_.append(digits, written.ptr);
        copied_ = line.column_end(head);
        if (!changes_.deprels.empty()) {
            (result_ += '\t') += changes_.deprels[word_];
            copied_ = line.column_end(deprel);
        }
        ++word_;
    }

    const Changes& changes_;
    std::string_view text_;
    std::string result_;
    std::size_t copied_ = 0;               // where the text not yet copied begins
    std::size_t word_ = 0, sentence_ = 0;  // of all runs
};

}  // namespace

std::vector<std::string> rewrite(std::span<const Run> runs, const Changes& changes) {
    const std::size_t words = words_of(runs), given = changes.heads.size();
    if (given != words)
        throw Error("got " + std::to_string(given) + " heads, but the text has " + (given < words ? "more" : "fewer") +
                    " words: give one head for every word");
    if (!changes.deprels.empty() && changes.deprels.size() != given)
        throw Error("got " + std::to_string(changes.deprels.size()) + " relations for " + std::to_string(given) +
                    " heads: give one for every word");
    Rewriter rewriter(changes);
    std::vector<std::string> texts;
    texts.reserve(runs.size());
    for (const Run& run : runs) texts.push_back(rewriter(run));
    return texts;
}

std::vector<std::string> with_cells(std::span<const Run> runs, const Filling& cells) {
    const std::array<std::pair<Column, std::span<const std::string>>, 4> columns{
        {{lemma, cells.lemma}, {upos, cells.upos}, {xpos, cells.xpos}, {feats, cells.feats}}};
    const std::size_t words = words_of(runs);
    for (const auto& [column, own] : columns)
        if (!own.empty() && own.size() != words)
            throw Error("got " + std::to_string(own.size()) + " cells for " + std::to_string(words) +
                        " words: give one for every word");
    std::vector<std::string> texts;
    std::size_t word = 0;
    for (const Run& run : runs) {
        const std::string_view text = run.text();
        std::string result;
        for (const Span& sentence : run.sentences()) {
            std::size_t copied = sentence.begin;
            each_word(text, sentence, [&](const Line& line) {
                result += text.substr(copied, line.column_end(form) - copied);
                for (const auto& [column, own] : columns)
                    (result += '\t') += own.empty() ? cell_of(text, line, column) : std::string_view(own[word]);
                copied = line.column_end(feats);
                ++word;
            });
            result += text.substr(copied, sentence.end - copied);
        }
        texts.push_back(std::move(result));
    }
    return texts;
}

}  // namespace nonproj::conll
