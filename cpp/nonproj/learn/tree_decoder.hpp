// The best tree of a class by its arcs (decode/search/decoder.hpp), and membership, for learners.
#pragma once
#include <memory>
#include <span>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/solver/class_solver.hpp"
#include "nonproj/solver/grades.hpp"

namespace nonproj::learn {

class TreeDecoder {
  public:
    TreeDecoder(const ClassSolver& solver, bool single_root, std::shared_ptr<const Grades> grades = nullptr);
    ~TreeDecoder();
    TreeDecoder(TreeDecoder&&) noexcept;

    // False, and the heads as they were, when no tree of the class without forbidden arcs was found. Where the
    // search reaches its limit and a chart would take long, or there is none, the best tree found so far.
    bool decode(const ArcScores<float>& scores, std::span<int> heads);
    // The score of the last tree, and how much more another may score: 0 when it is proven best.
    double score() const;
    double gap() const;
    bool is_member(std::span<const int> heads);

  private:
    struct Body;
    std::unique_ptr<Body> body_;
};

}  // namespace nonproj::learn
