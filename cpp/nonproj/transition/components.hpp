// Which words hang together by the arcs made so far. An arc to a headless word m makes a cycle exactly when its ends
// hang together already: m is then the top of its component. Union by size without compression: a question costs
// O(log n) and changes nothing, so that a configuration can be asked while it is shared.
#pragma once
#include <utility>
#include <vector>

namespace nonproj {

class Components {
  public:
    void start(int words) { up_.assign(words + 1, -1); }
    // The word that stands for the component of w.
    int of(int w) const {
        while (up_[w] >= 0) w = up_[w];
        return w;
    }
    bool joined(int v, int w) const { return of(v) == of(w); }
    // The word that stands for both from now on; v and w are not joined yet.
    int join(int v, int w) {
        v = of(v), w = of(w);
        if (up_[v] > up_[w]) std::swap(v, w);
        up_[v] += up_[w];
        up_[w] = v;
        return v;
    }

  private:
    std::vector<int> up_;  // the next word on the way to the one that stands for all, which holds minus the size
};

}  // namespace nonproj
