// The tables of the chart in sums.hpp and the steps between them: the same for every semiring.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nonproj::gaps {

// What a point is to both parts of a set: number a of the one, number b of the other, or 0 of neither.
struct Bound {
    int a = 0, b = 0;
};
struct SumCut {
    Bound bound;
    int block;      // of the whole, that it cuts
    bool is_first;  // in this block
    int followers;  // cuts behind it in the block
};
// A term of the sum for a table. Letters tell how the blocks of the parts, a and b, and the gaps, g, follow each other.
struct SumStep {
    int a, b;  // tables; b < 0 where a is the whole
    std::string letters;
    std::vector<Bound> bounds{};  // of the points of the whole
    std::vector<SumCut> cuts{};
};

// The tables, their steps, and where they begin.
struct SumTables {
    int words, max_blocks;
    std::vector<int> any, linked, closed;          // T, M(O..O) and M(F..F), by blocks - 1
    std::vector<std::vector<int>> order;           // the tables of sets of so many blocks, as they are filled
    std::vector<std::vector<SumStep>> steps;       // by table
    std::vector<std::size_t> begin;                // rows
    std::vector<std::vector<std::size_t>> choose;  // [i][p] = C(p, i); [0] is all 0

    SumTables(int n, int k) : words(n), max_blocks(blocks_for(n, k)) {
        const auto flags = all_flags(n, k);
        const int number = static_cast<int>(flags.size());
        order.resize(max_blocks);
        for (int t = 0; t < number; ++t) order[flags[t].size()].push_back(t);
        for (int blocks = 1; blocks <= max_blocks; ++blocks) {
            linked.push_back(find(flags, std::string(blocks - 1, 'O')));
            closed.push_back(find(flags, std::string(blocks - 1, 'F')));
            any.push_back(number + blocks - 1);
            order[blocks - 1].push_back(any.back());
        }
        steps.resize(number + max_blocks);
        for (int t = 0; t < number; ++t) add_steps_from(flags, t);
        for (int blocks = 1; blocks <= max_blocks; ++blocks) add_steps_to_any(blocks);
        for (auto& each : steps)
            for (SumStep& step : each) number_points(step);
        make_room(flags);
    }

    std::size_t rows() const { return begin.back(); }
    static double number_of_rows(int n, int k) {
        double rows = 0;
        for (const std::string& each : all_flags(n, k)) rows += subsets(n + 1, 2 * (static_cast<int>(each.size()) + 1));
        for (int blocks = 1; blocks <= blocks_for(n, k); ++blocks) rows += subsets(n + 1, 2 * blocks);
        return rows;
    }

  private:
    static int blocks_for(int n, int k) { return std::max(1, std::min(k + 1, (n + 1) / 2)); }
    static double subsets(int points, int size) {
        double count = 1;
        for (int p = 0; p < size; ++p) count *= std::max(0.0, 1.0 * points - p) / (p + 1);
        return count;
    }
    static int find(const std::vector<std::string>& flags, const std::string& wanted) {
        return static_cast<int>(std::find(flags.begin(), flags.end(), wanted) - flags.begin());
    }

    // Those that can come to something: every F will be a gap, every S two or more. Of equal length, by what is looked at.
    static std::vector<std::string> all_flags(int n, int k) {
        std::vector<std::string> seen{""}, flags;
        for (int gaps = 0; gaps < blocks_for(n, k); ++gaps) {
            for (std::size_t s = 0; s < seen.size(); ++s)
                if (static_cast<int>(seen[s].size()) <= gaps)
                    flags.push_back(seen[s] + std::string(gaps - seen[s].size(), 'O'));
            if (gaps + 1 == blocks_for(n, k)) break;
            for (std::size_t s = 0, end = seen.size(); s < end; ++s)
                for (const char letter : {'F', 'S'})
                    if (static_cast<int>(seen[s].size()) == gaps && gaps_of(seen[s] + letter) <= k)
                        seen.push_back(seen[s] + letter);
        }
        return flags;
    }
    static int gaps_of(const std::string& flags) {
        int gaps = 0;
        for (const char letter : flags) gaps += letter == 'S' ? 2 : 1;
        return gaps;
    }

    void add(const std::vector<std::string>& flags, const std::string& target, SumStep step) {
        if (const int t = find(flags, target); t < static_cast<int>(flags.size())) steps[t].push_back(std::move(step));
    }
    // The steps that look at the first O, or else split the first S.
    void add_steps_from(const std::vector<std::string>& flags, int source) {
        const std::string& from = flags[source];
        const bool may_split = from.find('O') == std::string::npos;
        const std::size_t gap = from.find(may_split ? 'S' : 'O');
        if (gap == std::string::npos) return;
        const std::string u = from.substr(0, gap), w = from.substr(gap + 1);
        const auto fill = [&](const std::string& middle, int left) {
            std::string letters = "a";
            for (std::size_t g = 0; g < from.size(); ++g) letters += (g == gap ? middle : "g") + "a";
            const std::string target = u + std::string(left, 'F') + w;
            const int parts = static_cast<int>(std::count(middle.begin(), middle.end(), 'b'));
            if (parts <= max_blocks && static_cast<int>(target.size()) < max_blocks)
                add(flags, target, {source, any_of(flags, parts), letters});
        };
        if (may_split) {
            for (int left = 2; u.size() + left + w.size() < static_cast<std::size_t>(max_blocks); ++left) {
                std::string middle = "g";
                for (int g = 1; g < left; ++g) middle += "bg";
                for (const char* before : {"", "b"})
                    for (const char* after : {"", "b"}) fill(before + middle + after, left);
            }
            return;
        }
        const std::string as_it_is = blocks_of('a', from.size() + 1);
        add(flags, u + 'F' + w, {source, -1, as_it_is});
        add(flags, u + 'S' + w, {source, -1, as_it_is});
        fill("b", 0);
        for (const char* middle : {"bg", "gb", "bgb"}) fill(middle, 1);
    }
    int any_of(const std::vector<std::string>& flags, int blocks) const {
        return static_cast<int>(flags.size()) + blocks - 1;
    }
    // So many blocks of one item with gaps between them, such as "agaga".
    static std::string blocks_of(char letter, std::size_t count) {
        std::string letters(2 * count - 1, 'g');
        for (std::size_t b = 0; b < count; ++b) letters[2 * b] = letter;
        return letters;
    }
    void add_steps_to_any(int blocks) {
        auto& to = steps[any[blocks - 1]];
        to.push_back({closed[blocks - 1], -1, blocks_of('a', blocks)});
        for (int b = 0; b < blocks; ++b) {
            const std::string until = blocks_of('a', b + 1), after = blocks_of('b', blocks - b);
            to.push_back({closed[b], any[blocks - 1 - b], until + after});
            if (b + 1 < blocks) to.push_back({closed[b], any[blocks - 2 - b], until + "g" + after.substr(2)});
        }
    }

    // What every point is, from the letters.
    static void number_points(SumStep& step) {
        const auto& letters = step.letters;
        Bound parts;  // points so far
        int block = 0;
        const auto open = [&](char letter, Bound& bound) {
            (letter == 'a' ? bound.a = ++parts.a : bound.b = ++parts.b);
        };
        step.bounds.push_back({});
        for (std::size_t t = 0; t < letters.size(); ++t) {
            if (letters[t] == 'g') {
                ++block;
                step.bounds.push_back({});
                continue;
            }
            if (t == 0 || letters[t - 1] == 'g') open(letters[t], step.bounds.back());
            Bound bound;
            open(letters[t], bound);
            if (t + 1 == letters.size() || letters[t + 1] == 'g') {
                step.bounds.push_back(bound);
                continue;
            }
            open(letters[t + 1], bound);
            step.cuts.push_back({bound, block, t == 0 || letters[t - 1] == 'g', 0});
        }
        for (std::size_t c = step.cuts.size(); c-- > 0;)
            if (c + 1 < step.cuts.size() && step.cuts[c + 1].block == step.cuts[c].block)
                step.cuts[c].followers = step.cuts[c + 1].followers + 1;
    }

    void make_room(const std::vector<std::string>& flags) {
        choose.assign(2 * max_blocks + 1, std::vector<std::size_t>(words + 2, 0));
        for (int i = 1; i <= 2 * max_blocks; ++i)
            for (int p = 1; p <= words + 1; ++p) choose[i][p] = choose[i][p - 1] + (i == 1 ? 1 : choose[i - 1][p - 1]);
        begin.push_back(0);
        for (std::size_t t = 0; t < steps.size(); ++t) {
            const std::size_t blocks = t < flags.size() ? flags[t].size() + 1 : t - flags.size() + 1;
            begin.push_back(begin.back() + choose[2 * blocks][words + 1]);
        }
    }
};

}  // namespace nonproj::gaps
