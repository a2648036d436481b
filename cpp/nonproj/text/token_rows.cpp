#include "nonproj/text/token_rows.hpp"

#include <vector>

namespace nonproj::text {

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

void add_row(std::string& result, const std::string& id, std::string_view form, std::string_view misc) {
    result += id;
    result += '\t';
    result += form;
    result += "\t_\t_\t_\t_\t_\t_\t_\t";
    result += misc;
    result += '\n';
}

}  // namespace

void add_sentence(std::span<const Expansion> rules, std::string_view text, const SentencePlace& place,
                  std::string& result) {
    const std::span<const Token> tokens = place.tokens;
    if (place.is_paragraph) result += "# newpar\n";
    result += "# sent_id = " + std::to_string(place.number) + "\n# text = ";
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        result += text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin);
        if (i + 1 < tokens.size() && tokens[i + 1].begin > tokens[i].end) result += ' ';
    }
    result += '\n';
    std::size_t word = 1;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const std::string_view form = text.substr(token.begin, token.end - token.begin);
        const std::size_t next = i + 1 < tokens.size() ? tokens[i + 1].begin : place.until;
        const std::string misc =
            misc_of(i == 0 ? text.substr(place.from, token.begin - place.from) : std::string_view(),
                    text.substr(token.end, next - token.end));
        std::vector<std::string> words;
        if (token.expansion != 0) words = rules[token.expansion - 1].apply(form);
        if (words.size() < 2) {
            add_row(result, std::to_string(word++), form, misc);
            continue;
        }
        add_row(result, std::to_string(word) + "-" + std::to_string(word + words.size() - 1), form, misc);
        for (const std::string& each : words) add_row(result, std::to_string(word++), each, "_");
    }
    result += '\n';
}

}  // namespace nonproj::text
