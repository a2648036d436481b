// Transition systems for Python: every system of cpp/nonproj/transition behind one class.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "nonproj/error.hpp"
#include "nonproj/parallel_for.hpp"
#include "nonproj/transition/arc_eager.hpp"
#include "nonproj/transition/arc_hybrid.hpp"
#include "nonproj/transition/arc_standard.hpp"
#include "nonproj/transition/attardi.hpp"
#include "nonproj/transition/covington.hpp"
#include "nonproj/transition/multi_headed.hpp"
#include "nonproj/transition/planar.hpp"
#include "nonproj/transition/sort_parse.hpp"
#include "nonproj/transition/swap.hpp"
#include "nonproj/transition/two_register.hpp"
#include "nonproj/tree/fault.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

using namespace nb::literals;
using namespace nonproj;

namespace {

using Integers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Heads = std::span<const std::int32_t>;

constexpr int max_words = 1 << 24;
// The most planes or nodes that a system may be asked for.
constexpr int max_number = MultiHeadedSystem::max_nodes;

std::span<const std::int32_t> span_of(const Integers& values) { return {values.data(), values.shape(0)}; }

void read_tree(Heads heads, Tree& tree) {
    if (heads.size() > max_words) throw Error("a sentence of more than " + std::to_string(max_words) + " words");
    if (const auto fault = find_fault(heads)) throw Error(describe(*fault, heads));
    tree.assign(heads);
}

// A configuration of some system, and of which: those of one system mean nothing to another.
class AnySystem;
struct AnyConfiguration {
    virtual ~AnyConfiguration() = default;
    int words = 0;
    std::shared_ptr<const AnySystem> system;
};
template <class S>
struct ConfigurationOf : AnyConfiguration {
    typename S::Configuration value;
};
using Shared = std::shared_ptr<const AnyConfiguration>;
struct Handle {
    Shared configuration;
};

struct Derived {
    std::vector<std::int32_t> heads;
    std::vector<std::int32_t> dependents;  // of the arc each transition makes, 0 for none
};

class AnySystem : public std::enable_shared_from_this<AnySystem> {
  public:
    virtual ~AnySystem() = default;
    virtual std::vector<std::string> names(int words) const = 0;
    virtual Shared initial(int words) const = 0;
    virtual const char* objection(const AnyConfiguration& c, int t) const = 0;
    virtual Arc arc(const AnyConfiguration& c, int t) const = 0;
    virtual Shared apply(const AnyConfiguration& c, int t) const = 0;
    virtual bool is_final(const AnyConfiguration& c) const = 0;
    virtual std::vector<int> heads(const AnyConfiguration& c) const = 0;
    virtual std::vector<Part> parts(const AnyConfiguration& c) const = 0;
    virtual bool oracle(const Tree& tree, std::vector<int>& sequence) const = 0;
    virtual Derived derive(std::span<const std::int32_t> sequence, int words) const = 0;
    virtual int words_of(const std::vector<int>& sequence) const = 0;
    virtual bool has_cost() const = 0;
    virtual int cost(const AnyConfiguration& c, int t, const Tree& tree) const = 0;
    virtual int transitions(int words) const = 0;
    virtual bool single_root() const = 0;
};

template <TransitionSystem S>
class SystemOf : public AnySystem {
  public:
    explicit SystemOf(S system) : system_(std::move(system)) {}

    std::vector<std::string> names(int words) const override {
        std::vector<std::string> found;
        for (int t = 0; t < system_.transitions(words); ++t) found.push_back(system_.name(t));
        return found;
    }
    Shared initial(int words) const override {
        auto made = std::make_shared<ConfigurationOf<S>>();
        made->words = words;
        made->system = this->shared_from_this();
        system_.start(made->value, words);
        return made;
    }
    const char* objection(const AnyConfiguration& c, int t) const override { return system_.objection(of(c), t); }
    Arc arc(const AnyConfiguration& c, int t) const override { return system_.arc(of(c), t); }
    Shared apply(const AnyConfiguration& c, int t) const override {
        auto made = std::make_shared<ConfigurationOf<S>>(static_cast<const ConfigurationOf<S>&>(c));
        system_.apply(made->value, t);
        return made;
    }
    bool is_final(const AnyConfiguration& c) const override { return system_.is_final(of(c)); }
    std::vector<int> heads(const AnyConfiguration& c) const override { return of(c).head; }
    std::vector<Part> parts(const AnyConfiguration& c) const override { return system_.parts(of(c)); }
    bool oracle(const Tree& tree, std::vector<int>& sequence) const override { return system_.oracle(tree, sequence); }
    Derived derive(std::span<const std::int32_t> sequence, int words) const override {
        thread_local typename S::Configuration c;  // its memory serves one sentence after the other
        system_.start(c, words);
        Derived derived;
        derived.dependents.reserve(sequence.size());
        const int count = system_.transitions(words);
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            const int t = sequence[i];
            const char* why = t < 0 || t >= count ? "there is no such transition" : system_.objection(c, t);
            if (why != nullptr)
                throw Error("transition " + std::to_string(i + 1) + " of " + std::to_string(sequence.size()) +
                            (t < 0 || t >= count ? "" : ", " + system_.name(t) + ",") + " is not legal: " + why);
            derived.dependents.push_back(system_.arc(c, t).dependent);
            system_.apply(c, t);
        }
        if (!system_.is_final(c))
            throw Error("the " + std::to_string(sequence.size()) +
                        " transitions end before the configuration is final");
        derived.heads.assign(c.head.begin() + 1, c.head.end());
        return derived;
    }
    int words_of(const std::vector<int>& sequence) const override { return system_.words_of(sequence); }
    bool has_cost() const override { return HasCost<S>; }
    int cost(const AnyConfiguration& c, int t, const Tree& tree) const override {
        if constexpr (HasCost<S>)
            return system_.cost(of(c), t, tree);
        else
            throw Error("no dynamic oracle is known for this system");
    }
    int transitions(int words) const override { return system_.transitions(words); }
    bool single_root() const override { return system_.single_root; }

  private:
    static const typename S::Configuration& of(const AnyConfiguration& c) {
        return static_cast<const ConfigurationOf<S>&>(c).value;
    }
    S system_;
};

template <class S>
std::shared_ptr<const AnySystem> system_of(S system) {
    return std::make_shared<const SystemOf<S>>(std::move(system));
}

int between(int number, int least, int most, const char* what) {
    if (number < least || number > most)
        throw Error(std::string(what) + " must be from " + std::to_string(least) + " to " + std::to_string(most) +
                    ", not " + std::to_string(number));
    return number;
}

// `number` is the degree, the planes or the nodes; `oracle` is the system's own choice.
std::shared_ptr<const AnySystem> make(const std::string& name, int number, const std::string& oracle,
                                      bool single_root) {
    if (name == "arc-standard") return system_of(ArcStandard{single_root});
    if (name == "arc-hybrid") return system_of(ArcHybrid{single_root});
    if (name == "arc-eager") return system_of(ArcEager{single_root});
    if (name == "covington") return system_of(Covington{single_root});
    if (name == "two-register") return system_of(TwoRegister{single_root});
    if (name == "sorting") return system_of(Sorting{single_root});
    if (name == "swap") return system_of(Swap{oracle == "lazy", single_root});
    if (name == "attardi") return system_of(AttardiSystem{between(number, 1, max_words, "the degree"), single_root});
    if (name == "planar") return system_of(Planar{between(number, 1, max_number, "the number of planes"), single_root});
    if (name == "mh")
        return system_of(MultiHeadedSystem{between(number, 3, max_number, "the number of nodes"), single_root});
    using Kind = SortParse::Oracle;
    if (name == "sort-parse")
        return system_of(SortParse{oracle == "printed" ? Kind::printed
                                   : oracle == "eager" ? Kind::eager
                                                       : Kind::completed,
                                   single_root});
    throw Error("no transition system is called " + name);
}

class System {
  public:
    System(const std::string& name, int number, const std::string& oracle, bool single_root)
        : system_(make(name, number, oracle, single_root)) {}

    std::vector<std::string> names(int words) const { return system_->names(checked(words)); }
    Handle initial(int words) const { return {system_->initial(checked(words))}; }

    std::vector<int> legal(const Handle& handle) const {
        const AnyConfiguration& c = own(handle);
        std::vector<int> found;
        for (int t = 0; t < system_->transitions(c.words); ++t)
            if (system_->objection(c, t) == nullptr) found.push_back(t);
        return found;
    }
    std::optional<std::string> objection(const Handle& handle, int t) const {
        const AnyConfiguration& c = own(handle);
        if (t < 0 || t >= system_->transitions(c.words)) return "there is no such transition";
        const char* why = system_->objection(c, t);
        return why == nullptr ? std::nullopt : std::optional<std::string>(why);
    }
    std::pair<int, int> arc(const Handle& handle, int t) const {
        const Arc made = system_->arc(legal_in(handle, t), t);
        return {made.head, made.dependent};
    }
    Handle apply(const Handle& handle, int t) const { return {system_->apply(legal_in(handle, t), t)}; }
    bool is_final(const Handle& handle) const { return system_->is_final(own(handle)); }
    std::vector<int> heads(const Handle& handle) const { return system_->heads(own(handle)); }

    using PartTuple = std::tuple<std::string, int, std::vector<int>, int>;
    std::vector<PartTuple> parts(const Handle& handle) const {
        std::vector<PartTuple> shown;
        for (const Part& part : system_->parts(own(handle)))
            shown.emplace_back(part.name, static_cast<int>(part.kind), part.values, part.marked);
        return shown;
    }
    bool has_cost() const { return system_->has_cost(); }
    int cost(const Handle& handle, int t, const Integers& heads) const {
        const AnyConfiguration& c = legal_in(handle, t);
        Tree tree;
        read_tree(span_of(heads), tree);
        if (tree.words() != c.words) throw Error("the tree and the configuration have different numbers of words");
        return system_->cost(c, t, tree);
    }

    std::optional<NumpyArray<std::int32_t, 1>> oracle(const Integers& heads) const {
        std::vector<int> sequence;
        {
            nb::gil_scoped_release release;
            if (!find(span_of(heads), sequence)) sequence.clear();
        }
        if (sequence.empty()) return std::nullopt;
        const std::size_t length = sequence.size();
        return to_numpy(std::move(sequence), {length});
    }
    int words_of(const Integers& sequence) const {
        const auto all = span_of(sequence);
        return system_->words_of({all.begin(), all.end()});
    }
    std::pair<NumpyArray<std::int32_t, 1>, NumpyArray<std::int32_t, 1>> derive(const Integers& sequence,
                                                                               int words) const {
        Derived derived;
        checked(words);
        {
            nb::gil_scoped_release release;
            derived = system_->derive(span_of(sequence), words);
        }
        const std::size_t steps = derived.dependents.size(), length = derived.heads.size();
        return {to_numpy(std::move(derived.heads), {length}), to_numpy(std::move(derived.dependents), {steps})};
    }

    // The sequences of many trees, one after the other, and how long each is; -1 for a tree that is not derived.
    std::pair<NumpyArray<std::int32_t, 1>, NumpyArray<std::int32_t, 1>> oracle_batch(const Integers& heads,
                                                                                     const Offsets& offsets,
                                                                                     int threads) const {
        const std::span<const std::int64_t> at(offsets.data(), offsets.shape(0));
        check_offsets(at, heads.shape(0));
        const std::size_t trees = at.size() - 1;
        std::vector<std::vector<int>> found(trees);
        std::vector<std::int32_t> lengths(trees), all;
        {
            nb::gil_scoped_release release;
            SignalInterrupt interrupt;
            parallel_for(trees, threads, [&](std::size_t i) {
                try {
                    const bool is_derived = find({heads.data() + at[i], heads.data() + at[i + 1]}, found[i]);
                    lengths[i] = is_derived ? static_cast<std::int32_t>(found[i].size()) : -1;
                } catch (const Error& error) {
                    throw Error("tree " + std::to_string(i) + ": " + error.what());
                }
                if (lengths[i] < 0) found[i].clear();
            });
            std::size_t total = 0;
            for (const auto& sequence : found) total += sequence.size();
            all.reserve(total);
            for (const auto& sequence : found) all.insert(all.end(), sequence.begin(), sequence.end());
        }
        const std::size_t total = all.size();
        return {to_numpy(std::move(all), {total}), to_numpy(std::move(lengths), {trees})};
    }
    // The heads that the sequences of `oracle_batch` derive; -1 for the words of a tree without a sequence.
    NumpyArray<std::int32_t, 1> derive_batch(const Integers& sequences, const Integers& lengths, const Offsets& offsets,
                                             int threads) const {
        const std::span<const std::int64_t> at(offsets.data(), offsets.shape(0));
        if (at.empty() || at.size() - 1 != lengths.shape(0)) throw Error("as many lengths as sentences are needed");
        check_offsets(at, static_cast<std::size_t>(at.back()));
        std::vector<std::size_t> begin(1, 0);
        for (std::size_t i = 0; i < lengths.shape(0); ++i)
            begin.push_back(begin.back() + static_cast<std::size_t>(std::max(0, lengths.data()[i])));
        if (begin.back() != sequences.shape(0)) throw Error("the lengths do not add up to the number of transitions");
        std::vector<std::int32_t> heads(static_cast<std::size_t>(at.back()), no_head);
        {
            nb::gil_scoped_release release;
            SignalInterrupt interrupt;
            parallel_for(lengths.shape(0), threads, [&](std::size_t i) {
                if (lengths.data()[i] < 0) return;
                try {
                    const auto size = std::min<std::int64_t>(at[i + 1] - at[i], std::int64_t{max_words} + 1);
                    const Derived derived =
                        system_->derive({sequences.data() + begin[i], sequences.data() + begin[i + 1]},
                                        checked(static_cast<int>(size)));
                    std::copy(derived.heads.begin(), derived.heads.end(), heads.begin() + at[i]);
                } catch (const Error& error) {
                    throw Error("sentence " + std::to_string(i) + ": " + error.what());
                }
            });
        }
        const std::size_t words = heads.size();
        return to_numpy(std::move(heads), {words});
    }

  private:
    static int checked(int words) { return between(words, 1, max_words, "the number of words"); }
    static void check_offsets(std::span<const std::int64_t> at, std::size_t words) {
        if (at.empty() || at.front() != 0 || at.back() != static_cast<std::int64_t>(words) ||
            !std::is_sorted(at.begin(), at.end()))
            throw Error("offsets must rise from 0 to the number of words");
    }
    const AnyConfiguration& own(const Handle& handle) const {
        if (handle.configuration->system != system_) throw Error("the configuration belongs to another system");
        return *handle.configuration;
    }
    const AnyConfiguration& legal_in(const Handle& handle, int t) const {
        if (const auto why = objection(handle, t)) throw Error("the transition is not legal: " + *why);
        return *handle.configuration;
    }
    bool find(Heads heads, std::vector<int>& sequence) const {
        thread_local Tree tree;  // its memory serves one tree after the other
        read_tree(heads, tree);
        if (heads.empty()) throw Error("a tree needs at least one word");
        if (system_->single_root() && tree.children(0).size() > 1) return false;
        sequence.reserve(4 * heads.size());
        return system_->oracle(tree, sequence);
    }

    std::shared_ptr<const AnySystem> system_;
};

std::pair<std::vector<int>, std::int64_t> order_and_inversions(const Integers& heads) {
    Tree tree;
    read_tree(span_of(heads), tree);
    std::vector<int> order = projective_order(tree);
    const std::int64_t found = inversions(order);
    order.erase(order.begin());
    return {order, found};
}

}  // namespace

void bind_transition(nb::module_& m) {
    m.attr("MAX_SYSTEM_NUMBER") = max_number;
    nb::class_<Handle>(m, "Configuration");
    nb::class_<System>(m, "TransitionSystem")
        .def(nb::init<const std::string&, int, const std::string&, bool>(), "name"_a, "number"_a, "oracle"_a,
             "single_root"_a)
        .def("names", &System::names, "words"_a, "The names of the transitions, by number")
        .def("initial", &System::initial, "words"_a)
        .def("legal", &System::legal, "configuration"_a)
        .def("objection", &System::objection, "configuration"_a, "transition"_a, "Why it is not legal, or None")
        .def("arc", &System::arc, "configuration"_a, "transition"_a, "(head, dependent); dependent 0 for no arc")
        .def("apply", &System::apply, "configuration"_a, "transition"_a)
        .def("is_final", &System::is_final, "configuration"_a)
        .def("heads", &System::heads, "configuration"_a, "Heads by node, -1 for none yet")
        .def("parts", &System::parts, "configuration"_a, "(name, kind, values, marked) of each column of a trace")
        .def_prop_ro("has_cost", &System::has_cost)
        .def("cost", &System::cost, "configuration"_a, "transition"_a, "heads"_a)
        .def("oracle", &System::oracle, "heads"_a, "The numbers of the transitions, or None")
        .def("words_of", &System::words_of, "sequence"_a)
        .def("derive", &System::derive, "sequence"_a, "words"_a, "(heads, dependent of each transition's arc)")
        .def("oracle_batch", &System::oracle_batch, "heads"_a, "offsets"_a, "threads"_a)
        .def("derive_batch", &System::derive_batch, "sequences"_a, "lengths"_a, "offsets"_a, "threads"_a);
    m.def("projective_order", &order_and_inversions, "heads"_a, "(words in projective order, inversions)");
}
