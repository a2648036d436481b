// The best tree of a class, or of a graded class, by scored arcs and larger parts, with its proof.
//
// Without larger parts the tree is the best of its class among the arcs. With them a chart finds it where the class has one
// for few arcs; else it is climbed to, and the exact search (decode/parts/parts_decoder.hpp) goes on from there.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nonproj/decode/parts/climb.hpp"
#include "nonproj/decode/parts/part_table.hpp"
#include "nonproj/decode/parts/parts_decoder.hpp"
#include "nonproj/decode/search/decode_options.hpp"
#include "nonproj/learn/asked_parts.hpp"
#include "nonproj/learn/candidates.hpp"
#include "nonproj/learn/graph_options.hpp"
#include "nonproj/learn/parses.hpp"
#include "nonproj/learn/tree_decoder.hpp"
#include "nonproj/solver/membership.hpp"

namespace nonproj::learn {

// Its members besides what was chosen are workspaces: no call knows of the one before. Arcs are laid out, but for those of
// long sentences. A `known` tree is of possible arcs and of the class, the widest one of a graded class.
class Searcher {
  public:
    struct Found {
        std::vector<int> heads;
        Proof proof;  // scores of a graded class are less its prices
    };

    explicit Searcher(const GraphOptions& options);

    // The best trees by arcs of the class, or of the widest one.
    TreeDecoder& class_decoder() { return classes_.back().decoder; }

    // To parse: by arcs alone; by larger parts, exactly, and if it `compares` with what is gained over climbing, which may
    // take longer; by climbing.
    Found best(const ScoredArcs& arcs, std::span<const int> known);
    Found best(const ScoredArcs& arcs, const parts::PartTable& parts, std::span<const int> known, bool compares);
    Found climb(const ScoredArcs& arcs, AskedParts& parts, std::span<const int> known);

    // To learn from: the best tree of the class; or, by climbing, one of all trees: within the class it ends earlier, at trees
    // that teach less.
    Found find_to_learn(const ScoredArcs& arcs, const parts::PartTable& parts, std::span<const int> known);
    std::vector<int> climb_to_learn(const ScoredArcs& arcs, AskedParts& parts, std::span<const int> known);

    // The score of any tree of the arcs.
    template <class Parts>
    double score(Parts& parts, std::span<const int> heads) {
        return climb_of(parts).score(heads);
    }

    // For long sentences (long_sentences.cpp): first trees of the class, or of each of a graded class; and the best tree that
    // climbing ends at from them.
    std::vector<std::vector<int>> first_trees(const ScoredArcs& arcs);
    Found climb_from(std::vector<std::vector<int>> trees, AskedParts& parts);

  private:
    struct Class {
        ClassSolver solver;
        TreeDecoder decoder;
    };
    // A tree of a class and its score, whether it is what climbing through all trees ended at.
    struct Climbed {
        std::vector<int> heads;
        double score = 0;
        bool is_free = false;
    };
    // Of some classes: the best tree less its price, and one of each to start from, or none.
    struct Starts {
        Outcome best;
        std::vector<std::vector<int>> trees;
    };

    parts::Climb<const parts::PartTable>& climb_of(const parts::PartTable& parts) {
        climb_.assign(parts, options_.single_root, least_gain);
        return climb_;
    }
    parts::Climb<AskedParts>& climb_of(AskedParts& parts) {
        asked_climb_.assign(parts, options_.single_root, least_gain);
        return asked_climb_;
    }

    // In the graded class, or without one in the class, the widest one.
    Found find(const ScoredArcs& arcs, const parts::PartTable& parts, std::span<const int> known, const Grades* grades,
               int limit, bool compares);
    std::span<Class> classes_of(const Grades* grades) {
        return grades == nullptr ? std::span(classes_).last(1) : std::span(classes_);
    }
    Outcome best_of_class(const DecodeOptions& of_class, const parts::PartTable& parts, int limit,
                          std::span<const int> start);
    bool has_table_chart(const ClassSolver& solver) const;
    bool needs_climb(const ClassSolver& solver, bool compares) const;
    template <class Climb>
    Climbed climb_freely(Climb& climb, const ScoredArcs& arcs, std::span<const int> known);
    template <class Climb>
    Climbed climb_within(Climb& climb, const ScoredArcs& arcs, TreeDecoder& decoder, std::span<const int> known);
    template <class Climb>
    Starts climb_in(const Grades* grades, Climb& climb, const ScoredArcs& arcs, std::span<const int> known,
                    bool compares);
    // Of a tree of the class at this place.
    double price(std::span<const int> heads, std::size_t place, const Grades* grades) {
        return grades == nullptr ? 0 : (*grades)[grades->smallest(heads, place, membership_)].price;
    }

    std::vector<int> joined_pieces(const ScoredArcs& arcs, TreeDecoder& decoder);
    void decode_piece(const ScoredArcs& arcs, int first, int last, TreeDecoder& decoder, std::span<int> heads);

    static constexpr double least_gain = 1e-6;  // of a change when climbing

    GraphOptions options_;
    DecodeOptions exact_options_;
    std::vector<Class> classes_;  // of a graded class, the smallest first; else the class alone
    TreeDecoder by_arcs_, every_tree_;
    Membership membership_;
    PartsDecoder parts_decoder_;
    parts::Climb<const parts::PartTable> climb_;
    parts::Climb<AskedParts> asked_climb_;
    std::vector<float> room_;  // for a table of arcs
};

}  // namespace nonproj::learn
