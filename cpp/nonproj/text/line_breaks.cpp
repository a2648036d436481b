#include "nonproj/text/line_breaks.hpp"

#include <algorithm>
#include <cstdint>

namespace nonproj::text {

namespace {

constexpr std::size_t least_lines = 4, least_column = 20;

// The length that three quarters of the lines have at most.
std::size_t column_of(const std::vector<BrokenLine>& lines) {
    std::vector<std::size_t> lengths;
    lengths.reserve(lines.size());
    for (const BrokenLine& line : lines) lengths.push_back(line.letters);
    const auto at = lengths.begin() + static_cast<std::ptrdiff_t>((3 * lengths.size() + 3) / 4 - 1);
    std::ranges::nth_element(lengths, at);
    return *at;
}

}  // namespace

std::size_t line_breaks(std::string_view space) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < space.size(); ++i)
        count += space[i] == '\n' || (space[i] == '\r' && (i + 1 == space.size() || space[i + 1] != '\n'));
    return count;
}

std::optional<bool> are_sentences(const std::vector<BrokenLine>& lines) {
    if (lines.size() < least_lines) return std::nullopt;
    const auto number = std::ssize(lines);
    if (4 * std::ranges::count_if(lines, &BrokenLine::ends_sentence) >= 3 * number) return true;
    const std::size_t column = column_of(lines);
    const auto is_full = [&](const BrokenLine& line) { return line.letters + 1 + line.next_word > column; };
    return column < least_column || 5 * std::ranges::count_if(lines, is_full) < 2 * number;
}

}  // namespace nonproj::text
