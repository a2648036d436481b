// A transition system that is chosen when the program runs: every system of this folder behind one interface.
//
//   const auto system = make_system("swap", "lazy");       // registry.hpp
//   const auto c = system->make_configuration();
//   system->start(*c, words);
//   Outlook outlook;
//   for (system->look(*c, outlook); !outlook.is_final; system->look(*c, outlook))
//       system->apply(*c, outlook.legal.front());
//   outlook.heads                                          // the head of each node, that of the dummy is no_head
//
// A call costs a few nanoseconds, so what is asked at every step is asked at once, by `look`.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nonproj/transition/system.hpp"

namespace nonproj {

// A configuration of some system, which alone can read it.
struct AnyConfiguration {
    virtual ~AnyConfiguration() = default;
};

// All that a parser asks of a configuration before its next step.
struct Outlook {
    bool is_final = false;  // then there is no focus, and nothing is legal
    Focus focus;
    std::span<const int> heads;  // made so far, by node; until the configuration changes
    std::vector<int> legal;      // transitions, numbers rising
};

// What a sequence of transitions makes.
struct Derivation {
    std::vector<std::int32_t> heads;       // of words 1, 2, ...
    std::vector<std::int32_t> dependents;  // of the arc that each transition makes, 0 for none
};

class AnySystem {
  public:
    virtual ~AnySystem() = default;

    virtual bool single_root() const = 0;
    virtual int transitions(int words) const = 0;
    virtual std::string name(int transition) const = 0;

    virtual std::unique_ptr<AnyConfiguration> make_configuration() const = 0;
    // Both keep the memory of the configuration that they change.
    virtual void start(AnyConfiguration& c, int words) const = 0;
    virtual void copy(const AnyConfiguration& from, AnyConfiguration& to) const = 0;

    virtual void look(const AnyConfiguration& c, Outlook& outlook) const = 0;
    virtual const char* objection(const AnyConfiguration& c, int transition) const = 0;
    virtual Arc arc(const AnyConfiguration& c, int transition) const = 0;
    // Returns the arc that was made. The transition must be legal.
    virtual Arc apply(AnyConfiguration& c, int transition) const = 0;
    virtual bool is_final(const AnyConfiguration& c) const = 0;
    virtual const std::vector<int>& heads(const AnyConfiguration& c) const = 0;
    virtual std::vector<TraceColumn> columns(const AnyConfiguration& c) const = 0;

    virtual bool oracle(const Tree& tree, std::vector<int>& sequence) const = 0;
    // An error names the first transition that is not legal. A sequence that may end early leaves words without a head: -1.
    virtual Derivation derive(std::span<const std::int32_t> sequence, int words, bool may_end_early = false) const = 0;
    virtual int words_of(const std::vector<int>& sequence) const = 0;

    virtual bool has_cost() const = 0;
    virtual bool is_cost_exact() const = 0;
    virtual int cost(const AnyConfiguration& c, int transition, const Tree& tree) const = 0;
};

}  // namespace nonproj
