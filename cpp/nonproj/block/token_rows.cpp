#include "nonproj/block/token_rows.hpp"

#include <charconv>

namespace nonproj::block {

namespace {

void append_escaped(std::string& result, std::string_view space) {
    for (const char c : space) switch (c) {
            case ' ':
                result += "\\s";
                break;
            case '\t':
                result += "\\t";
                break;
            case '\n':
                result += "\\n";
                break;
            case '\r':
                result += "\\r";
                break;
            default:
                result += c;
        }
}

// MISC of a token: what is not a single space around it.
std::string misc_of(std::string_view before, std::string_view after) {
    std::string misc;
    if (!before.empty()) append_escaped(misc = "SpacesBefore=", before);
    if (after == " ") return misc.empty() ? "_" : misc;
    if (!misc.empty()) misc += '|';
    if (after.empty()) return misc + "SpaceAfter=No";
    misc += "SpacesAfter=";
    append_escaped(misc, after);
    return misc;
}

void append_number(std::string& result, std::int64_t number) {
    char digits[20];
    result.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// The cells of a word from FORM to DEPREL.
void append_cells(std::string& result, const Table& table, std::size_t word) {
    for (const Column* column : {&table.form, &table.lemma, &table.upos, &table.xpos, &table.feats})
        (result += '\t') += (*column)[word];
    result += '\t';
    if (table.heads[word] < 0)
        result += '_';
    else
        append_number(result, table.heads[word]);
    (result += '\t') += table.deprel[word];
}

void append_comments(const TokenText& text, std::size_t number, std::string& result) {
    const TokenText::Sentence& sentence = text.sentences[number];
    const auto tokens = text.tokens_of(number);
    if (sentence.begins_paragraph) result += "# newpar\n";
    if (text.has_spaces) {
        result += "# sent_id = ";
        append_number(result, sentence.number);
        result += '\n';
    }
    result += "# text = ";
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        result.append(text.text, tokens[i].begin, tokens[i].end - tokens[i].begin);
        if (i + 1 < tokens.size() && tokens[i + 1].begin > tokens[i].end) result += ' ';
    }
    result += '\n';
}

}  // namespace

void append_rows(const Table& table, const TokenText& text, std::size_t number, std::string& result) {
    const TokenText::Sentence& sentence = text.sentences[number];
    const auto tokens = text.tokens_of(number);
    const auto between = [&](std::size_t begin, std::size_t end) {
        return std::string_view(text.text).substr(begin, end - begin);
    };
    append_comments(text, number, result);
    auto word = static_cast<std::size_t>(table.offsets[number]);
    std::int64_t id = 1;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const std::size_t next = i + 1 < tokens.size() ? tokens[i + 1].begin : sentence.end;
        const std::string misc =
            !text.has_spaces
                ? "_"
                : misc_of(i == 0 ? between(sentence.begin, token.begin) : std::string_view(), between(token.end, next));
        if (token.words > 1) {
            append_number(result, id);
            result += '-';
            append_number(result, id + token.words - 1);
            ((result += '\t') += between(token.begin, token.end)) += "\t_\t_\t_\t_\t_\t_\t_\t";
            (result += misc) += '\n';
        }
        for (std::uint32_t k = 0; k < token.words; ++k, ++word, ++id) {
            append_number(result, id);
            append_cells(result, table, word);
            ((result += "\t_\t") += token.words > 1 ? "_" : misc) += '\n';
        }
    }
    result += '\n';
}

}  // namespace nonproj::block
