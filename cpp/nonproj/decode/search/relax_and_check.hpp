// Relax and check: the best trees of any class, one after the other, by way of spanning trees.
//
//   node     a set of trees: all that hold its required arcs and none of its forbidden ones; the first is all trees
//   bound    no tree in the node scores more; at first an estimate, once the node is solved its best spanning tree
//
// Nodes are taken by falling bound. A node that is taken for the first time is solved for its best spanning tree T.
// When T is in the class, nothing that is left scores more: T is the next best tree. Else the class names a violation,
// arcs W of T that no tree of the class holds together (classes/violation.hpp). With w_1 .. w_m the arcs of W that the
// node does not require, every tree of the class in the node lacks one of them; so it lies in exactly one of
//   child i  requires w_1 .. w_(i-1) and forbids w_i                      i = 1 .. m
// namely by the first arc it lacks. To go on after T was found, W is all of T: the children hold the whole node but T.
// So no tree is met twice, no tree of the class is lost, and the search ends since every child holds fewer trees.
//
// The estimate for a child is the parent's bound less the regret of w_i (spanning.hpp), so most children are never
// solved. Arcs of small regret come first: to require them of the later children raises the loss there most. Among
// equal bounds the newest node is taken, which dives when scores are tied. O(n^2) a node, besides membership and
// violation.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/deadline.hpp"
#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/decode/search/violation_choice.hpp"
#include "nonproj/decode/spanning/spanning_trees.hpp"
#include "nonproj/interrupt.hpp"
#include "nonproj/solver/membership.hpp"

namespace nonproj {

enum class RelaxStatus {
    found,
    no_more,      // the class has no further tree that is of use
    past_limit,   // that many trees were solved, or memory is full
    not_settled,  // the best tree left is too entangled to say whether it is in the class
};

// Trees finds the best tree of a class that holds the one asked for, as SpanningTrees does.
template <class Trees = SpanningTrees<double>>
class RelaxAndCheck {
  public:
    using Status = RelaxStatus;

    explicit RelaxAndCheck(Trees trees = {}) : trees_(std::move(trees)) {}

    // The scores and the solver must outlive the search. Trees that do not score more than `must_exceed` are left aside.
    void start(const ArcScores<double>& scores, const ClassSolver& solver, bool single_root, double memory_limit,
               double must_exceed = minus_infinity<double>) {
        scores_ = scores;
        solver_ = &solver;
        single_root_ = single_root;
        memory_limit_ = memory_limit;
        must_exceed_ = must_exceed;
        relaxations_ = 0;
        found_ = last_solved_ = none;
        nodes_.clear();
        branches_.clear();
        open_.clear();
        heads_.resize(scores.words());
        is_required_.resize(scores.words() + 1);
        add({infinity, none, 0, 0});
    }

    // Goes on to the next best tree of the class, unless `limit` trees have been solved since start(), or time is over.
    Status next(int limit, Deadline::Clock::time_point end = Deadline::never) {
        if (found_ != none) branch_after(std::exchange(found_, none));
        while (has_open()) {
            const int node = open_.front().node;
            if (nodes_[node].bound <= must_exceed_) return Status::no_more;
            if (!nodes_[node].is_solved && (relaxations_ >= limit || bytes() > memory_limit_ || Deadline::is_past(end)))
                return Status::past_limit;
            take();
            switch (settle(node)) {
                case 1:
                    if (has_open() && nodes_[node].bound < open_.front().bound) {
                        reopen(node);
                        break;
                    }
                    found_ = node;
                    score_ = nodes_[node].bound;
                    return Status::found;
                case 0:
                    branch(node);
                    break;
                case no_tree:
                    break;
                default:
                    reopen(node);
                    return Status::not_settled;
            }
        }
        return Status::no_more;
    }

    // A tree of the class, good but not always the best: from the best open node down, each time to the most
    // promising child. False when the way ends without one, or at the limit. Nothing is lost for next().
    bool plunge(int limit, Deadline::Clock::time_point end = Deadline::never) {
        if (!has_open()) return false;
        int node = open_.front().node;
        while (relaxations_ < limit && !Deadline::is_past(end)) {
            const int settled = settle(node);
            if (settled == 0) {
                const std::size_t first_child = nodes_.size();
                branch(node);
                if (nodes_.size() == first_child) return false;
                const auto best = std::max_element(nodes_.begin() + static_cast<std::ptrdiff_t>(first_child),
                                                   nodes_.end(), [](auto& a, auto& b) { return a.bound < b.bound; });
                node = static_cast<int>(best - nodes_.begin());
                continue;
            }
            if (settled != no_tree) reopen(node);
            if (settled == 1) score_ = nodes_[node].bound;
            return settled == 1;
        }
        return false;
    }

    // The tree that next() or plunge() has just found.
    std::span<const int> heads() const { return heads_; }
    double score() const { return score_; }

    // No tree of the class that is still to be found scores more.
    double bound() { return has_open() ? open_.front().bound : minus_infinity<double>; }
    int relaxations() const { return relaxations_; }

  private:
    static constexpr int none = -1, no_tree = -2;
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    struct Node {
        double bound;
        int parent;         // or none
        std::size_t first;  // of the parent's violation in branches_
        int index;          // of the arc that is forbidden; those before it are required
        bool is_solved = false;
        bool is_closed = false;
    };
    // A node may be in the queue several times; only its last bound counts.
    struct Entry {
        double bound;
        int node;
        friend bool operator<(const Entry& a, const Entry& b) {
            return a.bound != b.bound ? a.bound < b.bound : a.node < b.node;
        }
    };

    double bytes() const {
        return 1.0 * nodes_.size() * sizeof(Node) + 1.0 * open_.size() * sizeof(Entry) +
               1.0 * branches_.size() * sizeof(Arc);
    }

    void add(Node node) {
        nodes_.push_back(node);
        reopen(static_cast<int>(nodes_.size()) - 1);
    }
    void reopen(int node) {
        nodes_[node].is_closed = false;
        open_.push_back({nodes_[node].bound, node});
        std::push_heap(open_.begin(), open_.end());
    }
    void take() {
        nodes_[open_.front().node].is_closed = true;
        std::pop_heap(open_.begin(), open_.end());
        open_.pop_back();
    }
    bool has_open() {
        while (!open_.empty() && is_stale(open_.front())) {
            std::pop_heap(open_.begin(), open_.end());
            open_.pop_back();
        }
        return !open_.empty();
    }
    bool is_stale(const Entry& entry) const {
        return nodes_[entry.node].is_closed || nodes_[entry.node].bound != entry.bound;
    }

    // Solves the node for its best tree, heads_, and says whether that is in the class.
    int settle(int node) { return solve(node) ? membership_.settle(heads_, *solver_) : no_tree; }
    bool solve(int node) {
        Node& solved = nodes_[node];
        solved.is_closed = true;
        if (last_solved_ != node) {
            Interrupt::check();
            constrain(node);
            solved.bound = trees_.solve({constrained_.data(), scores_.words()}, single_root_, heads_);
            last_solved_ = node;
        }
        if (!solved.is_solved) ++relaxations_;
        solved.is_solved = true;
        return solved.bound > minus_infinity<double>;
    }

    void constrain(int node) {
        const std::size_t width = scores_.words() + 1;
        constrained_.assign(scores_.data(), scores_.data() + width * width);
        std::fill(is_required_.begin(), is_required_.end(), false);
        for (; nodes_[node].parent != none; node = nodes_[node].parent) {
            const Arc* const arcs = branches_.data() + nodes_[node].first;
            const Arc& forbidden = arcs[nodes_[node].index];
            constrained_[forbidden.head * width + forbidden.dependent] = minus_infinity<double>;
            for (int i = 0; i < nodes_[node].index; ++i) require(arcs[i]);
        }
    }
    void require(const Arc& arc) {
        const std::size_t width = scores_.words() + 1;
        for (std::size_t h = 0; h < width; ++h)
            if (static_cast<int>(h) != arc.head) constrained_[h * width + arc.dependent] = minus_infinity<double>;
        is_required_[arc.dependent] = true;
        if (solver_->row().no_crossing != NoCrossing::is_not_enough) forbid_across(arc);
    }
    // Where no arcs may cross, a required arc forbids all that cross it. The dummy's arcs count in Pr alone.
    void forbid_across(const Arc& arc) {
        const bool with_dummy = solver_->row().no_crossing == NoCrossing::of_all_arcs;
        if (!with_dummy && arc.head == 0) return;
        const int width = scores_.words() + 1;
        for (int inside = arc.left() + 1; inside < arc.right(); ++inside)
            for (int outside = with_dummy ? 0 : 1; outside < width; ++outside) {
                if (arc.left() <= outside && outside <= arc.right()) continue;
                constrained_[static_cast<std::size_t>(inside) * width + outside] = minus_infinity<double>;
                constrained_[static_cast<std::size_t>(outside) * width + inside] = minus_infinity<double>;
            }
    }

    // The node has just been solved, and its tree is outside the class.
    void branch(int node) {
        add_children(node, choice_.choose(heads_, *solver_, [&](const Arc& arc) { return regret(arc); }));
    }

    // To go on after a tree was found: what is left of its node.
    void branch_after(int node) {
        solve(node);
        std::vector<ViolationChoice::Priced> arcs;
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            const Arc arc{heads_[i], static_cast<int>(i) + 1};
            if (regret(arc) < infinity) arcs.push_back({regret(arc), arc});
        }
        std::sort(arcs.begin(), arcs.end());
        add_children(node, arcs);
    }

    double regret(const Arc& arc) const {
        return is_required_[arc.dependent] ? infinity : trees_.regret(arc.head, arc.dependent);
    }

    void add_children(int node, const std::vector<ViolationChoice::Priced>& arcs) {
        const std::size_t first = branches_.size();
        for (const auto& [regret, arc] : arcs) branches_.push_back(arc);
        for (std::size_t i = 0; i < arcs.size(); ++i)
            add({nodes_[node].bound - arcs[i].first, node, first, static_cast<int>(i)});
    }

    ArcScores<double> scores_{nullptr, 0};
    const ClassSolver* solver_ = nullptr;
    bool single_root_ = false;
    double memory_limit_ = 0, must_exceed_ = minus_infinity<double>;
    int relaxations_ = 0;
    int found_ = none, last_solved_ = none;
    double score_ = minus_infinity<double>;
    Trees trees_;
    Membership membership_;
    ViolationChoice choice_;
    std::vector<Node> nodes_;
    std::vector<Arc> branches_;
    std::vector<Entry> open_;
    std::vector<int> heads_;
    std::vector<double> constrained_;
    std::vector<char> is_required_;
};

}  // namespace nonproj
