#include "nonproj/conll/removal.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "nonproj/error.hpp"

namespace nonproj::conll {

namespace {

void add_number(std::string& text, std::int32_t value) {
    char digits[16];
    const auto written = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, written.ptr);
}

class Shortener {
  public:
    explicit Shortener(const Removal& removal) : removal_(removal) {}

    // `first` is the place of the sentence's first word among all words.
    std::string operator()(std::string_view text, const Span& sentence, std::size_t first, std::size_t words) {
        relations_.clear();
        each_word(text, sentence, [&](const Line& line) { relations_.push_back(cell_of(text, line, deprel)); });
        if (relations_.size() != words) throw Error("a sentence has other words than its index");
        std::string result;
        result.reserve(sentence.body_end - sentence.body + 2);
        std::size_t word = 0;
        each_line(text, sentence, [&](const Line& line) {
            if (text[line.begin] == '#')
                (result += text.substr(line.begin, line.end - line.begin)) += '\n';
            else if (is_word(text, line))
                add_word(result, text, line, first, word++);
            else if (line.tabs == columns - 1)
                add_token(result, text, line, first, words);
        });
        return result += '\n';
    }

  private:
    void add_word(std::string& result, std::string_view text, const Line& line, std::size_t first, std::size_t word) {
        const std::size_t place = first + word;
        if (removal_.removed[place]) return;
        const std::int32_t from = removal_.relation_from[place];
        if (from < 0 || static_cast<std::size_t>(from) >= relations_.size())
            throw Error("a relation comes from a word that is not there");
        add_number(result, removal_.number[place]);
        result += text.substr(line.column_end(id), line.column_begin(head) - line.column_end(id));
        add_number(result, removal_.heads[place]);
        ((result += '\t') += relations_[from]) += "\t_\t";
        (result += cell_of(text, line, misc)) += '\n';
    }

    // A range of words such as 3-4; what has another name is an empty node.
    void add_token(std::string& result, std::string_view text, const Line& line, std::size_t first, std::size_t words) {
        const std::size_t end = line.column_end(id);
        const Number from = number_at(text, line.begin, end);
        if (from.end >= end || text[from.end] != '-') return;
        const Number to = number_at(text, from.end + 1, end);
        if (from.value < 1 || to.value < from.value || static_cast<std::size_t>(to.value) > words) return;
        const auto own = removal_.removed.subspan(first + from.value - 1, to.value - from.value + 1);
        if (std::find(own.begin(), own.end(), true) != own.end()) return;
        add_number(result, removal_.number[first + from.value - 1]);
        result += '-';
        add_number(result, removal_.number[first + to.value - 1]);
        (result += text.substr(end, line.end - end)) += '\n';
    }

    const Removal& removal_;
    std::vector<std::string_view> relations_;  // of the sentence at hand
};

std::string whole(std::string_view text, const Span& sentence) {
    std::string body(text.substr(sentence.body, sentence.body_end - sentence.body));
    return body += body.ends_with('\n') ? "\n" : "\n\n";
}

}  // namespace

std::vector<std::string> without_words(std::span<const Run> runs, const Removal& removal) {
    const std::size_t words = words_of(runs);
    if (removal.removed.size() != words || removal.number.size() != words || removal.heads.size() != words ||
        removal.relation_from.size() != words)
        throw Error("there must be an entry for every word");
    Shortener shortened(removal);
    std::vector<std::string> texts;
    std::size_t first = 0;
    for (const Run& run : runs)
        for (std::size_t i = 0; i < run.sentences().size(); ++i) {
            const auto count = static_cast<std::size_t>(run.offsets()[i + 1] - run.offsets()[i]);
            const auto own = removal.removed.subspan(first, count);
            const auto gone = static_cast<std::size_t>(std::count(own.begin(), own.end(), true));
            if (gone == 0)
                texts.push_back(whole(run.text(), run.sentences()[i]));
            else if (gone < count)
                texts.push_back(shortened(run.text(), run.sentences()[i], first, count));
            first += count;
        }
    return texts;
}

}  // namespace nonproj::conll
