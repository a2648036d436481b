// Checks of what must hold whatever the bytes are: each target makes a case of them, runs it two ways or more, and throws
// Broken where the answers differ. libFuzzer looks for such bytes (libfuzzer.cpp, `make fuzz`); `make test` runs the small
// corpus that is kept (tests/native/corpus).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace nonproj::fuzz {

using Bytes = std::span<const std::uint8_t>;

struct Broken : std::logic_error {
    using std::logic_error::logic_error;
};
// `what` is text, or a call that makes it where it is needed: most of the time would go into it otherwise.
template <class What>
void require(bool holds, const What& what) {
    if (holds) return;
    if constexpr (std::is_invocable_v<What>)
        throw Broken(what());
    else
        throw Broken(what);
}

// Reads a case from bytes; past their end all are 0.
class Choices {
  public:
    explicit Choices(Bytes bytes) : bytes_(bytes) {}
    int byte() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }
    int below(int bound) { return byte() % bound; }
    bool coin() { return (byte() & 1) != 0; }
    Bytes rest() const { return bytes_.subspan(at_); }
    bool is_empty() const { return at_ >= bytes_.size(); }

  private:
    Bytes bytes_;
    std::size_t at_ = 0;
};

// CoNLL text: spans, trees, rewriting, and reading block by block against reading at once.
void reader(Bytes bytes);
// A table of scores, a class, a strategy, a root mode, a mask: the best tree, the next ones and the sums against
// enumeration.
void scores(Bytes bytes);
// A graded class: the best tree and the next ones, less their prices, against enumeration.
void grades(Bytes bytes);
// Scores of siblings, grandparents, ends and valency within a class: the best tree against enumeration.
void parts(Bytes bytes);
// A transition system and a walk through it: the tree it ends with is of its class, and the oracle finds a way to it.
void transitions(Bytes bytes);
// Raw text to tokens, tags and lemmas: CoNLL-U that can be read, from which the text can be had again.
void tokens(Bytes bytes);
// Rules for lemmas and multiword tokens: of words, or read from any text.
void edits(Bytes bytes);

struct Target {
    const char* name;
    void (*run)(Bytes bytes);
};
inline constexpr Target targets[] = {{"reader", &reader}, {"scores", &scores},           {"grades", &grades},
                                     {"parts", &parts},   {"transitions", &transitions}, {"tokens", &tokens},
                                     {"edits", &edits}};

}  // namespace nonproj::fuzz
