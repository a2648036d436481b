// Graded classes on any small table of scores, against enumeration: every tree pays for the smallest class that holds it.
#include "nonproj/solver/grades.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/tables.hpp"
#include "nonproj/decode/search/table_decoder.hpp"
#include "nonproj/error.hpp"

namespace nonproj::fuzz {

namespace {

// Each is known to lie within the next.
const std::vector<ClassRule> chains[] = {
    {{Family::projective}, {Family::one_endpoint_crossing}, {Family::spanning}},
    {{Family::projective}, {Family::planar, 1}, {Family::planar, 2}, {Family::planar, 3}, {Family::spanning}},
    {{Family::projective}, {Family::well_nested, 1}, {Family::well_nested, 2}, {Family::well_nested, 3}},
    {{Family::multi_headed, 3}, {Family::multi_headed, 4}, {Family::multi_headed, 5}, {Family::spanning}},
    {{Family::attardi, 1}, {Family::attardi, 2}, {Family::attardi, 3}, {Family::spanning}},
    {{Family::multi_headed, 4}, {Family::drop_distance, 2}, {Family::drop_distance, 3}, {Family::spanning}},
    {{Family::well_nested, 1}, {Family::mildly_ill_nested, 1}, {Family::mildly_ill_nested, 2}, {Family::spanning}},
};

int place_of(const ClassRule& rule) {
    return static_cast<int>(std::find(std::begin(rules), std::end(rules), rule) - std::begin(rules));
}

}  // namespace

void grades(Bytes bytes) {
    Choices choices(bytes);
    std::vector<ClassRule> chain = chains[choices.below(static_cast<int>(std::size(chains)))];
    std::vector<Grade> made;
    double price = choices.below(4) - 1;
    const int left_out = choices.byte();
    std::erase_if(chain, [&, i = 0](const ClassRule&) mutable { return i++ > 0 && ((left_out >> i) & 1) != 0; });
    for (const ClassRule& rule : chain) {
        made.push_back({ClassSolver(class_name(rule), rule), price});
        price += choices.below(9) / 4.0;
    }
    Case given = read_case(choices);
    if (is_bad(given)) return;  // the target `scores` has them
    const int widest = place_of(chain.back());
    given.solver = made.back().solver;
    Membership membership;
    std::vector<int> copy;
    const std::vector<Scored> trees = enumerated(given, widest, [&](std::span<const int> heads) {
        copy.assign(heads.begin(), heads.end());
        for (const Grade& grade : made)
            if (membership.settle(copy, grade.solver) == 1) return -grade.price;
        throw Broken("a tree outside the widest class: " + shown(given));
    });
    DecodeOptions options;
    options.solver = given.solver;
    options.single_root = given.single_root;
    options.strategy = given.strategy == Strategy::chart ? Strategy::automatic : given.strategy;
    options.grades = std::make_shared<const Grades>(std::move(made));
    const std::unique_ptr<bool[]> mask(new bool[given.mask.size()]);
    std::copy(given.mask.begin(), given.mask.end(), mask.get());
    ArcOptions arcs;
    if (given.has_mask) arcs.mask = mask.get();
    arcs.required = given.required;
    const std::vector<float> single(given.values.begin(), given.values.end());
    const void* const values = given.is_double ? static_cast<const void*>(given.values.data()) : single.data();
    const ScoredSentence sentence{values, given.is_double, given.words, 0};
    std::vector<LabelledOutcome> found;
    try {
        found.push_back(decode_table(sentence, arcs, options));
        for (LabelledOutcome& each : k_best_of_table(sentence, 3, arcs, options)) found.push_back(std::move(each));
    } catch (const Error& error) {
        require(trees.empty(), [&] { return "refused: " + std::string(error.what()) + ": " + shown(given); });
        return;
    }
    require(found.size() == 1 + std::min<std::size_t>(3, trees.size()), [&] { return "too few: " + shown(given); });
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Outcome& outcome = found[i].outcome;
        check_tree(given, given.solver, outcome);
        double score = -outcome.price;
        for (int d = 1; d <= given.words; ++d) score += given.at(outcome.heads[d - 1], d);
        const double expected = trees[i == 0 ? 0 : i - 1].score;
        require(is_close(given, outcome.score, score),
                [&] { return "another score than its arcs' less its price: " + shown(given); });
        require(is_close(given, outcome.score, expected), [&] {
            return std::to_string(outcome.score) + " instead of " + std::to_string(expected) +
                   ", graded: " + shown(given);
        });
        if (i == 0) require(outcome.is_optimal(), [&] { return "not proven, graded: " + shown(given); });
    }
}

}  // namespace nonproj::fuzz
