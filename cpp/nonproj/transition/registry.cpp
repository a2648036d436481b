#include "nonproj/transition/registry.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "nonproj/error.hpp"
#include "nonproj/transition/arc_eager.hpp"
#include "nonproj/transition/arc_hybrid.hpp"
#include "nonproj/transition/arc_standard.hpp"
#include "nonproj/transition/attardi.hpp"
#include "nonproj/transition/attardi_back.hpp"
#include "nonproj/transition/attardi_variant.hpp"
#include "nonproj/transition/covington.hpp"
#include "nonproj/transition/derivations.hpp"
#include "nonproj/transition/k_register.hpp"
#include "nonproj/transition/multi_headed.hpp"
#include "nonproj/transition/planar.hpp"
#include "nonproj/transition/sort_parse.hpp"
#include "nonproj/transition/sorting.hpp"
#include "nonproj/transition/swap.hpp"
#include "nonproj/transition/two_register.hpp"

namespace nonproj {

namespace {

[[noreturn]] void refuse(std::size_t step, std::size_t steps, const std::string& name, const char* why) {
    throw Error("transition " + std::to_string(step + 1) + " of " + std::to_string(steps) +
                (name.empty() ? "" : ", " + name + ",") + " is not legal: " + why);
}

template <TransitionSystem S>
class SystemOf final : public AnySystem {
  public:
    explicit SystemOf(const S& system) : system_(system) {}

    bool single_root() const override { return system_.single_root; }
    int transitions(int words) const override { return system_.transitions(words); }
    std::string name(int t) const override { return system_.name(t); }

    std::unique_ptr<AnyConfiguration> make_configuration() const override { return std::make_unique<Own>(); }
    void start(AnyConfiguration& c, int words) const override { system_.start(of(c), words); }
    void copy(const AnyConfiguration& from, AnyConfiguration& to) const override { of(to) = of(from); }

    void look(const AnyConfiguration& any, Outlook& outlook) const override {
        const Configuration& c = of(any);
        outlook.heads = c.head;
        outlook.legal.clear();
        outlook.is_final = system_.is_final(c);
        if (outlook.is_final) return;
        outlook.focus = system_.focus(c);
        const int count = system_.transitions(static_cast<int>(c.head.size()) - 1);
        for (int t = 0; t < count; ++t)
            if (system_.objection(c, t) == nullptr) outlook.legal.push_back(t);
    }
    const char* objection(const AnyConfiguration& c, int t) const override { return system_.objection(of(c), t); }
    Arc arc(const AnyConfiguration& c, int t) const override { return system_.arc(of(c), t); }
    Arc apply(AnyConfiguration& c, int t) const override {
        const Arc made = system_.arc(of(c), t);
        system_.apply(of(c), t);
        return made;
    }
    bool is_final(const AnyConfiguration& c) const override { return system_.is_final(of(c)); }
    const std::vector<int>& heads(const AnyConfiguration& c) const override { return of(c).head; }
    std::vector<TraceColumn> columns(const AnyConfiguration& c) const override { return system_.columns(of(c)); }

    bool oracle(const Tree& tree, std::vector<int>& sequence) const override { return system_.oracle(tree, sequence); }
    Derivation derive(std::span<const std::int32_t> sequence, int words, bool may_end_early) const override {
        thread_local Configuration c;  // its memory serves one sentence after the other
        system_.start(c, words);
        Derivation derivation;
        derivation.dependents.reserve(sequence.size());
        const int count = system_.transitions(words);
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const int t = sequence[i];
            if (t < 0 || t >= count) refuse(i, sequence.size(), "", "there is no such transition");
            if (const char* why = system_.objection(c, t)) refuse(i, sequence.size(), system_.name(t), why);
            derivation.dependents.push_back(system_.arc(c, t).dependent);
            system_.apply(c, t);
        }
        if (!may_end_early && !system_.is_final(c))
            throw Error("the " + std::to_string(sequence.size()) +
                        " transitions end before the configuration is final; give the number of words to have those "
                        "without a head depend on 0");
        derivation.heads.assign(c.head.begin() + 1, c.head.end());
        return derivation;
    }
    int words_of(const std::vector<int>& sequence) const override { return system_.words_of(sequence); }

    bool has_cost() const override { return HasCost<S>; }
    bool is_cost_exact() const override {
        if constexpr (HasCost<S>) return system_.is_cost_exact();
        return false;
    }
    int cost(const AnyConfiguration& c, int t, const Tree& tree) const override {
        if constexpr (HasCost<S>) return system_.cost(of(c), t, tree);
        throw Error("no dynamic oracle is known for this system");
    }

  private:
    using Configuration = typename S::Configuration;
    struct Own final : AnyConfiguration {
        Configuration value;
    };
    static Configuration& of(AnyConfiguration& c) { return static_cast<Own&>(c).value; }
    static const Configuration& of(const AnyConfiguration& c) { return static_cast<const Own&>(c).value; }

    S system_;
};

using Made = std::shared_ptr<const AnySystem>;

template <class S>
Made erased(const S& system) {
    return std::make_shared<const SystemOf<S>>(system);
}

template <class S>
constexpr SystemRow row(std::string_view key, std::string_view names, std::string_view derives,
                        Made (*factory)(int, std::string_view, bool), std::string_view oracles = "",
                        NumberRange numbers = {}) {
    return {key, names, derives, oracles, numbers, !std::same_as<S, Sorting>, HasCost<S>, factory};
}

// What has one root or several, and nothing else to choose.
template <class S>
constexpr SystemRow plain_row(std::string_view key, std::string_view names, std::string_view derives) {
    return row<S>(key, names, derives,
                  [](int, std::string_view, bool single_root) { return erased(S{.single_root = single_root}); });
}

static_assert(max_system_number <= MultiHeadedSystem::max_nodes);

constexpr SystemRow rows[] = {
    plain_row<ArcStandard>("arc-standard", "arc-standard pr parse", "Pr"),
    plain_row<ArcHybrid>("arc-hybrid", "arc-hybrid", "Pr"),
    plain_row<ArcEager>("arc-eager", "arc-eager", "Pr"),
    plain_row<Sorting>("sorting", "sorting sort", "spanning"),
    row<SortParse>(
        "sort-parse", "sort-parse sorting-and-parsing", "spanning",
        [](int, std::string_view oracle, bool single_root) {
            using Kind = SortParse::Oracle;
            return erased(SortParse{oracle == "printed" ? Kind::printed : Kind::completion, single_root});
        },
        "completion printed"),
    row<Swap>(
        "swap", "swap spanning", "spanning",
        [](int, std::string_view oracle, bool single_root) { return erased(Swap{oracle == "lazy", single_root}); },
        "lazy eager"),
    row<AttardiSystem>("attardi", "attardi-# ad#", "AD#",
                       [](int degree, std::string_view, bool single_root) {
                           return erased(AttardiSystem{.degree = degree, .single_root = single_root});
                       },
                       "", {"the degree", 1, max_derivation_words, 2}),
    row<AttardiVariant>("attardi-variant", "attardi-variant-# av#", "AV#",
                        [](int variant, std::string_view, bool single_root) {
                            return erased(AttardiVariant{.variant = variant, .single_root = single_root});
                        },
                        "", {"the variant", 1, attardi_variants::number, 2}),
    row<AttardiBack>("attardi-back", "attardi-back-# dd#", "DD#",
                     [](int degree, std::string_view, bool single_root) {
                         return erased(AttardiBack{.degree = degree, .single_root = single_root});
                     },
                     "", {"the degree", 1, max_derivation_words, 2}),
    row<Planar>("planar", "#-planar #-p", "#-P",
                [](int planes, std::string_view, bool single_root) { return erased(Planar{planes, single_root}); }, "",
                {"the number of planes", 1, max_system_number, 2}),
    plain_row<TwoRegister>("two-register", "two-register two-registers 2-register 2-registers 2-c", "2-C"),
    row<KRegister>("k-register", "#-register #-registers #-c", "#-C",
                   [](int registers, std::string_view, bool single_root) {
                       return erased(KRegister{.registers = registers, .single_root = single_root});
                   },
                   "", {"the number of registers", 3, max_system_number, 3}),
    plain_row<Covington>("covington", "covington", "spanning"),
    row<MultiHeadedSystem>(
        "mh", "mh#", "MH#",
        [](int nodes, std::string_view, bool single_root) { return erased(MultiHeadedSystem{nodes, single_root}); }, "",
        {"the number of nodes", 3, max_system_number, 4}),
};

std::vector<std::string_view> listed(std::string_view words) {
    std::vector<std::string_view> found;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        found.push_back(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return found;
}

// Without case, blanks, `-` and `_`.
std::string plain(std::string_view name) {
    std::string kept;
    for (const char c : name)
        if (c != '-' && c != '_' && c != ' ' && c != '\t')
            kept += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return kept;
}

std::string filled(std::string_view pattern, int number) {
    std::string made(pattern);
    const std::size_t at = made.find('#');
    return at == std::string::npos ? made : made.replace(at, 1, std::to_string(number));
}

// The number in a plain name of that pattern, 0 if the pattern has none; nothing if the name is another.
std::optional<int> matched(std::string_view pattern, std::string_view name) {
    const std::string wanted = plain(pattern);
    const std::size_t at = wanted.find('#');
    if (at == std::string::npos) return wanted == name ? std::optional(0) : std::nullopt;
    const std::string_view before = std::string_view(wanted).substr(0, at),
                           after = std::string_view(wanted).substr(at + 1);
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
        return std::nullopt;
    std::int64_t number = 0;
    for (const char digit : name.substr(at, name.size() - before.size() - after.size())) {
        if (digit < '0' || digit > '9') return std::nullopt;
        number = std::min<std::int64_t>(10 * number + (digit - '0'), max_derivation_words + 1);
    }
    return static_cast<int>(number);
}

}  // namespace

std::string SystemRow::name(int number) const { return filled(listed(names).front(), number); }
std::string SystemRow::class_name(int number) const { return filled(derives, number); }
std::vector<std::string_view> SystemRow::oracle_list() const { return listed(oracles); }

std::shared_ptr<const AnySystem> SystemRow::make(int number, std::string_view oracle, bool single_root) const {
    if (has_number() && (number < numbers.least || number > numbers.greatest))
        throw Error(std::string(numbers.what) + " must be from " + std::to_string(numbers.least) + " to " +
                    std::to_string(numbers.greatest) + ", not " + std::to_string(number));
    const auto known = oracle_list();
    if (oracle.empty()) return factory(number, known.empty() ? "" : known.front(), single_root);
    if (std::find(known.begin(), known.end(), oracle) != known.end()) return factory(number, oracle, single_root);
    std::string choice;
    for (const std::string_view each : known) (choice += choice.empty() ? "it has " : " and ") += each;
    throw Error(name(number) + " has no oracle called '" + std::string(oracle) +
                "': " + (known.empty() ? "it has one oracle only" : choice));
}

std::span<const SystemRow> transition_systems() { return rows; }

NamedSystem find_system(const std::string& name) {
    const std::string wanted = plain(name);
    std::string known;
    for (const SystemRow& row : rows) {
        for (const std::string_view pattern : listed(row.names))
            if (const auto number = matched(pattern, wanted)) return {row, *number};
        (known += known.empty() ? "" : ", ") += row.name(row.numbers.example);
    }
    throw Error("no transition system is called '" + name + "'; there are " + known + ", with other numbers too");
}

std::shared_ptr<const AnySystem> make_system(const std::string& name, const std::string& oracle, bool single_root) {
    const NamedSystem found = find_system(name);
    return found.row.make(found.number, oracle, single_root);
}

}  // namespace nonproj
