// The best tree of a class by its arcs, and membership, for learners. What it does is decode/decoder.hpp; its body is
// compiled apart (cpp/bind/tree_decoder.cpp), since the charts behind it take long to compile.
#pragma once
#include <memory>
#include <span>

#include "nonproj/classes/rule.hpp"
#include "nonproj/decode/base/arc_scores.hpp"

namespace nonproj::learn {

class TreeDecoder {
  public:
    TreeDecoder(const ClassRule& rule, bool single_root);
    ~TreeDecoder();
    TreeDecoder(TreeDecoder&&) noexcept;

    // False, and the heads as they were, when no tree of the class without forbidden arcs was found. Where the
    // search reaches its limit and a chart would take long, or there is none, the best tree found so far.
    bool decode(const ArcScores<float>& scores, std::span<int> heads);
    bool is_member(std::span<const int> heads);

  private:
    struct Body;
    std::unique_ptr<Body> body_;
};

}  // namespace nonproj::learn
