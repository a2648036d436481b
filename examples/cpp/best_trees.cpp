// The best tree of some classes under the same scores, and how many trees each class holds.
#include <cstdio>
#include <vector>

#include "nonproj/decode/search/decoder.hpp"
#include "nonproj/solver/class_solver.hpp"

int main() {
    using namespace nonproj;
    constexpr int words = 4, width = words + 1;
    // scores[head * width + dependent]; row 0 is the root.
    const std::vector<double> table = {0, 1, 1, 9, 1,   // 0 -> 3
                                       0, 0, 1, 1, 1,   //
                                       0, 1, 0, 1, 1,   //
                                       0, 8, 1, 0, 8,   // 3 -> 1, 3 -> 4
                                       0, 1, 9, 1, 0};  // 4 -> 2, which crosses 3 -> 1
    const ArcScores<double> scores(table.data(), words);

    const std::vector<ClassSolver> classes = {
        {"spanning", ClassRule{Family::spanning}},
        {"1EC", ClassRule{Family::one_endpoint_crossing}},
        {"Pr", ClassRule{Family::projective}},
    };
    Decoder<double> decoder;
    for (const ClassSolver& solver : classes) {
        DecodeOptions options;
        options.solver = solver;
        options.single_root = true;
        const Outcome best = decoder.decode(scores, options);
        std::printf("%-8s  score %4.1f  heads", solver.name().c_str(), best.score);
        for (const int head : best.heads) std::printf(" %d", head);
        const auto trees = solver.sums()->count(scores, true, (std::uint64_t{1} << 61) - 1);
        std::printf("  of %llu trees\n", static_cast<unsigned long long>(trees));
    }
}
