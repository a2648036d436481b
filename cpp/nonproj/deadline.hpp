// Stops work that checks its interrupt when its time is over.
#pragma once
#include <chrono>

#include "nonproj/interrupt.hpp"

namespace nonproj {

class Deadline {
  public:
    using Clock = std::chrono::steady_clock;
    struct Passed {};  // is thrown

    static constexpr Clock::time_point never = Clock::time_point::max();
    // So many seconds from now; never, for many.
    static Clock::time_point after(double seconds) {
        if (!(seconds < 1e9)) return never;
        return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }
    static bool is_past(Clock::time_point end) { return end != never && Clock::now() >= end; }

    explicit Deadline(Clock::time_point end) : end_(end), interrupt_(&Deadline::check, this) {}

  private:
    static void check(void* self) {
        const auto& deadline = *static_cast<const Deadline*>(self);
        deadline.interrupt_.check_outer();
        if (Clock::now() >= deadline.end_) throw Passed{};
    }

    Clock::time_point end_;
    Interrupt interrupt_;
};

}  // namespace nonproj
