// Transition systems on any walk, and on any sequence.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "nonproj/error.hpp"
#include "nonproj/solver/membership.hpp"
#include "nonproj/transition/registry.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj::fuzz {

namespace {

ClassRule rule_of(const SystemRow& row, int number) {
    const std::string_view derives = row.derives;
    if (derives == "Pr") return {Family::projective};
    if (derives == "2-C") return {Family::crossing_interval, 2};
    if (derives == "#-C") return {Family::crossing_interval, number};
    if (derives == "AD#") return {Family::attardi, number};
    if (derives == "DD#") return {Family::drop_distance, number};
    if (derives == "AV#") return {Family::attardi_variant, number};
    if (derives == "#-P") return {Family::planar, number};
    if (derives == "MH#") return {Family::multi_headed, number};
    return {Family::spanning};
}

std::string shown(const AnySystem& system, const std::string& name, int words, const std::vector<std::int32_t>& walk) {
    std::string text = name + (system.single_root() ? ", single root, " : ", ") + std::to_string(words) + " words:";
    for (const int t : walk) text += ' ' + system.name(t);
    return text;
}

// What is not legal is refused, and nothing else happens.
void check_any(const AnySystem& system, int words, Choices& choices) {
    std::vector<std::int32_t> sequence;
    while (!choices.is_empty() && sequence.size() < 64) sequence.push_back(choices.byte() - 2);
    try {
        const Derivation derivation = system.derive(sequence, words);
        require(derivation.heads.size() == static_cast<std::size_t>(words), "heads of a sequence");
    } catch (const Error&) {
    }
}

}  // namespace

void transitions(Bytes bytes) {
    Choices choices(bytes);
    const auto rows = transition_systems();
    const SystemRow& row = rows[choices.below(static_cast<int>(rows.size()))];
    const int numbers = row.has_number() ? std::min(4, row.numbers.greatest - row.numbers.least + 1) : 1;
    const int number = row.numbers.least + choices.below(numbers);
    const auto oracles = row.oracle_list();
    const std::string oracle(oracles.empty() ? "" : oracles[choices.below(static_cast<int>(oracles.size()))]);
    const bool single_root = choices.coin();
    const int words = 1 + choices.below(9);
    const auto system = row.make(number, oracle, single_root);
    if (choices.below(8) == 0) return check_any(*system, words, choices);

    const auto configuration = system->make_configuration();
    system->start(*configuration, words);
    std::vector<std::int32_t> walk;
    Outlook outlook;
    for (system->look(*configuration, outlook); !outlook.is_final; system->look(*configuration, outlook)) {
        if (outlook.legal.empty()) {
            require(row.key.ends_with("-register") || oracle == "printed",
                    [&] { return "stuck: " + shown(*system, row.name(number), words, walk); });
            return;
        }
        require(walk.size() <= 4096, [&] { return "endless: " + shown(*system, row.name(number), words, walk); });
        const int chosen = outlook.legal[choices.below(static_cast<int>(outlook.legal.size()))];
        system->columns(*configuration);
        system->apply(*configuration, chosen);
        walk.push_back(chosen);
    }
    const std::vector<int>& made = system->heads(*configuration);
    const auto what = [&] { return shown(*system, row.name(number), words, walk); };
    require(system->words_of(std::vector<int>(walk.begin(), walk.end())) == words,
            [&] { return "words of " + what(); });
    const Derivation derivation = system->derive(walk, words);
    if (!row.has_arcs) return;
    const std::vector<int> heads(made.begin() + 1, made.end());
    require(std::equal(heads.begin(), heads.end(), derivation.heads.begin(), derivation.heads.end()),
            [&] { return "again " + what(); });
    require(!find_fault(heads), [&] { return "no tree: " + what(); });
    require(!single_root || std::count(heads.begin(), heads.end(), 0) == 1, [&] { return "roots of " + what(); });
    const ClassSolver solver(row.class_name(number), rule_of(row, number));
    require(Membership().settle(heads, solver) == 1, [&] { return "outside " + solver.name() + ": " + what(); });
    if (oracle == "printed") return;  // as on paper, where it does not know every tree
    std::vector<int> sequence;
    Tree tree;
    tree.assign(std::span<const int>(heads));
    require(system->oracle(tree, sequence), [&] { return "the oracle knows no way to " + what(); });
    const Derivation by_oracle = system->derive(std::vector<std::int32_t>(sequence.begin(), sequence.end()), words);
    require(by_oracle.heads == derivation.heads, [&] { return "the oracle leads elsewhere: " + what(); });
}

}  // namespace nonproj::fuzz
