#include "nonproj/solver/census.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "nonproj/error.hpp"

namespace nonproj {

namespace {

// Pruefer codes in increasing order, and the heads they stand for.
class TreeEnumerator {
  public:
    TreeEnumerator(int words, std::int64_t begin) : words_(words), code_(words - 1), heads_(words) {
        for (int i = words - 2; i >= 0; --i) {
            code_[i] = static_cast<int>(begin % (words + 1));
            begin /= words + 1;
        }
    }

    void advance() {
        for (int i = words_ - 2; i >= 0; --i) {
            if (++code_[i] <= words_) return;
            code_[i] = 0;
        }
    }

    bool has_single_root() const { return std::find(code_.begin(), code_.end(), 0) == code_.end(); }

    // Leaves are cut off from the largest downwards, so that 0 is never cut and the last edge ends at it.
    std::span<const int> heads() {
        int degree[max_census_words + 2] = {};
        for (int digit : code_) ++degree[digit];
        int next = words_, leaf = -1;
        for (int digit : code_) {
            if (leaf < 0) {
                while (degree[next] != 0) --next;
                leaf = next--;
            }
            heads_[leaf - 1] = digit;
            leaf = --degree[digit] == 0 && digit > next ? digit : -1;
        }
        if (leaf < 0) {
            while (degree[next] != 0) --next;
            leaf = next;
        }
        heads_[leaf - 1] = 0;
        return heads_;
    }

  private:
    int words_;
    std::vector<int> code_, heads_;
};

enum class Nesting { well, mildly_ill, strongly_ill };

Nesting nesting_of(const Profile& profile) {
    if (profile[property::well_nested] != 0) return Nesting::well;
    return profile[property::mg] == profile[property::gap_degree] ? Nesting::mildly_ill : Nesting::strongly_ill;
}

PropertySet needed_by(const std::vector<ClassSolver>& classes) {
    PropertySet wanted = 0;
    for (const ClassSolver& solver : classes) wanted |= solver.needs();
    return wanted;
}

// Calls visit(heads, profile, has_single_root) for each tree of the range.
template <class Visit>
void for_each_tree(int words, PropertySet wanted, std::int64_t begin, std::int64_t end, bool only_single_root,
                   Visit visit) {
    if (words < 1 || words > max_census_words)
        throw Error("a census takes 1 to " + std::to_string(max_census_words) + " words, not " + std::to_string(words));
    if (begin < 0 || end > number_of_trees(words) || begin > end) throw Error("no such range of trees");
    Profiler profiler;
    TreeEnumerator trees(words, begin);
    for (std::int64_t number = begin; number < end; ++number, trees.advance()) {
        const bool single = trees.has_single_root();
        if (only_single_root && !single) continue;
        const auto heads = trees.heads();
        visit(heads, profiler.measure(heads, wanted), single);
    }
}

}  // namespace

CensusCounts census(int words, const std::vector<ClassSolver>& classes, std::int64_t begin, std::int64_t end,
                    bool only_single_root, bool by_nesting) {
    PropertySet wanted = needed_by(classes);
    if (by_nesting)
        for (int p : {property::well_nested, property::mg, property::gap_degree}) wanted |= PropertySet{1} << p;
    const std::size_t size = classes.size() + (by_nesting ? 3 : 0);
    CensusCounts counts{std::vector<std::int64_t>(size), std::vector<std::int64_t>(size)};
    for_each_tree(words, wanted, begin, end, only_single_root,
                  [&](std::span<const int> heads, const Profile& profile, bool single) {
                      auto add = [&](std::size_t place, int held) {
                          counts.all[place] += held;
                          counts.single_root[place] += single ? held : 0;
                      };
                      for (std::size_t r = 0; r < classes.size(); ++r) add(r, classes[r].holds(heads, profile));
                      if (by_nesting) add(classes.size() + static_cast<std::size_t>(nesting_of(profile)), 1);
                  });
    return counts;
}

PairCounts census_of_pairs(int words, const std::vector<ClassSolver>& classes, std::int64_t begin, std::int64_t end,
                           bool only_single_root) {
    const std::size_t size = classes.size();
    PairCounts counts{std::vector<std::int64_t>(size * size), std::vector<std::vector<int>>(size * size)};
    std::vector<char> inside(size);
    for_each_tree(words, needed_by(classes), begin, end, only_single_root,
                  [&](std::span<const int> heads, const Profile& profile, bool) {
                      for (std::size_t r = 0; r < size; ++r)
                          inside[r] = static_cast<char>(classes[r].holds(heads, profile));
                      for (std::size_t pair = 0; pair < size * size; ++pair) {
                          if (inside[pair / size] == 0 || inside[pair % size] != 0) continue;
                          if (counts.trees[pair]++ == 0) counts.examples[pair].assign(heads.begin(), heads.end());
                      }
                  });
    return counts;
}

}  // namespace nonproj
