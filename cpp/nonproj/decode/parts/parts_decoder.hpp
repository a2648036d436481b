// The best tree of any class by its arcs and families, proven: Lagrangian relaxation, fixing and branching.
//
// y is a tree, and for every word h its family z(h), a head g and children C, is chosen by itself (head_automaton.hpp).
// They agree when each arc h -> m of y, and no other, is in C(h) and has g(m) = h. With a multiplier for each of the two,
//
//   L(u, v) = max over trees y of the sum of (s + u + v)(h, m) over the arcs of y
//           + sum over h of  max over g, C of  F_h(g, C) - sum over m in C of u(h, m) - v(g, h)
//
// is never less than the score of the best tree, whose own families are among those chosen from. Where y is in the class
// and agrees with z, it has the score L, and is the best. Else a step against what they disagree on,
//
//   u(h, m) += a ([m in C(h)] - y(h, m))      v(h, m) += a ([g(m) = h] - y(h, m))      a = (L - best known) / |disagreement|^2
//
// (Polyak's step, smaller when L does not fall), lowers L. y is the best spanning tree, or where it is outside the class
// and the class has a chart that takes little time, the best tree of the class. Words without scored parts have no family,
// and where the head makes no difference to a family, it chooses no g.
//
//   fixing      The best value of a family with a child, or under a head, and the bounds of spanning trees with an arc
//               (spanning/arc_bounds.hpp) tell what any tree with the arc can score at most. When that is no more than the
//               best known tree, the arc is dropped.
//   branching   When L stops falling: on the arc with most disagreement, forbidden or required; or, when y is outside the
//               class, on a violation (search/relax_and_check.hpp). Nodes are taken by falling bound and start from the
//               multipliers and arcs that their parent ended with.
//   climbing    Trees y of the class, improved by changes of single arcs (climb.hpp), are the best known ones.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "nonproj/deadline.hpp"
#include "nonproj/decode/base/part_list.hpp"
#include "nonproj/decode/parts/climb.hpp"
#include "nonproj/decode/parts/head_automaton.hpp"
#include "nonproj/decode/search/decode_options.hpp"
#include "nonproj/decode/search/decoder.hpp"
#include "nonproj/decode/search/violation_choice.hpp"
#include "nonproj/decode/spanning/arc_bounds.hpp"
#include "nonproj/decode/spanning/spanning_trees.hpp"
#include "nonproj/solver/membership.hpp"

namespace nonproj {

// A workspace: little is allocated when the sentence is no longer than those before, unless it branches.
class PartsDecoder {
  public:
    // Solves at most `limit` trees y. The outcome has no heads when there is no tree, its bound then being -inf, or when
    // none was found within the limits.
    Outcome decode(const PartList& given, const DecodeOptions& options, int limit);
    // Finds the best tree with parts that are laid out already. `start`, if not empty, is a tree of the class; nothing climbs from it.
    Outcome decode(const parts::PartTable& table, const DecodeOptions& options, int limit, std::span<const int> start);

    // About how long one of these trees takes with its families; `has_all` when every pair of siblings is scored.
    static double nanoseconds_of_step(const PartList& given);
    static double nanoseconds_of_step(int words, double arcs, bool sees_head, bool has_all);

  private:
    static constexpr int none = parts::none;
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    struct Node {
        double bound;
        int state;          // where it starts from, among states_
        std::size_t first;  // of the arcs it was branched on
        int required;       // so many of them are required
        bool forbids;       // and the next one forbidden
    };
    // Multipliers and arcs that are left; kept while a node starts from them.
    struct State {
        std::vector<double> child_price, head_price;
        std::vector<char> is_left;
        int users = 0;
    };
    enum class Verdict { closed, open };
    // The best value of a family under a head, as it was when its word had this relief and version.
    struct FamilyValue {
        double value = infinity, relief = 0;
        std::int64_t version = none;
    };
    // What the automaton has read last.
    struct Read {
        int word = none, above = none;
        std::int64_t version = none;
        bool operator==(const Read&) const = default;
    };

    void start(std::span<const int> heads);
    void add(const Node& node);
    Node take();
    Verdict run(Node& node);
    void load(const Node& node);
    bool solve();
    bool solve_tree();
    bool solve_families();
    void solve_family(int h);
    double exact(int h, int above, FamilyValue& under);
    void choose(int h, int above);
    void judge_tree();
    void consider();
    int disagreement();
    void step(double size);
    bool fix();
    bool is_open(int h) const;
    void weigh(int h);
    bool is_hopeless(int arc) const;
    bool settle();
    void drop(int arc);
    bool drop_across(int arc);
    void branch(const Node& node);
    void branch_on_violation(const Node& node);
    void add_children(const Node& node, bool is_violation);
    int keep_state();
    void release(int state);
    const parts::PartTable& parts() const { return *parts_; }
    const parts::ArcList& arcs() const { return parts_->arcs(); }
    void make_stale(int h) {
        is_stale_[h] = true;
        is_weighed_[h] = false;
        ++version_[h];
    }
    // The head for which the family of its dependent has scores of its own, or none.
    int own(int above) const { return above != none && parts().is_own(above) ? above : none; }
    FamilyValue& value_under(int h, int above) { return own(above) == none ? under_any_[h] : under_[above]; }
    // What a family can be worth at most: as much more than when it was solved as prices of children have fallen.
    double at_most(int h, const FamilyValue& under) const { return under.value + (relief_[h] - under.relief); }
    // A tree that scores no more is not looked for.
    double enough() const { return known() + tolerance_; }
    double known() const { return std::max(best_.score, options_->must_exceed); }
    double bytes() const;

    const DecodeOptions* options_ = nullptr;
    int words_ = 0;
    double tolerance_ = 0;
    bool has_quick_chart_ = false;
    bool uses_class_ = false;  // whether trees were left out for not being in the class

    parts::PartTable own_parts_;
    const parts::PartTable* parts_ = nullptr;
    parts::HeadAutomaton automaton_;
    parts::Climb<const parts::PartTable> climb_;
    SpanningTrees<double> trees_;
    ArcBounds<double> arc_bounds_;
    Membership membership_;
    Decoder<double> decoder_;
    ViolationChoice choice_;

    Outcome best_;
    int relaxations_ = 0;
    int limit_ = 0;
    Deadline::Clock::time_point end_ = Deadline::never;
    std::size_t branches_at_ = 0;  // where the arcs begin that are branched on
    double unsettled_ = 0;         // the bound of nodes whose tree could not be told to be in the class

    // By arc.
    std::vector<double> child_price_, head_price_;  // u, v; infinite for an arc that was dropped
    std::vector<char> is_left_, is_required_, in_tree_, is_child_, is_head_;
    std::vector<double> with_child_, with_head_, loss_, conflict_;
    std::vector<FamilyValue> under_;  // the head of the arc
    // By word.
    std::vector<double> family_value_, relief_;  // by how much the prices of children have fallen in all
    std::vector<FamilyValue> under_any_;         // head that makes no difference
    std::vector<std::int64_t> version_;
    Read read_;
    std::vector<int> chosen_, heads_left_;
    std::vector<char> is_stale_, are_heads_stale_;  // whether a family, or its choice of a head, is out of date
    std::vector<char> is_weighed_;                  // whether its values with each child and head are up to date
    std::vector<double> table_, bounds_;            // s + u + v, by head and dependent
    std::vector<int> heads_, judged_, considered_, climbed_;
    double tree_value_ = 0, value_ = 0;
    int membership_of_tree_ = 0;
    double best_of_trees_ = 0;  // the best score of a tree y before climbing

    std::vector<Node> open_;
    std::vector<Arc> branches_;
    std::vector<State> states_;
    std::vector<int> free_states_;
};

}  // namespace nonproj
