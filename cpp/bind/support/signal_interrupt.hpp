// Lets Ctrl-C stop work that runs without the GIL.
#pragma once
#include <chrono>

#include "nonproj/interrupt.hpp"
#include "support/bind.hpp"

// Make one, and the work that checks its interrupt hears signals.
class SignalInterrupt {
  public:
    SignalInterrupt() : interrupt_(&SignalInterrupt::check, this) {}

  private:
    using Clock = std::chrono::steady_clock;

    static void check(void* self) {
        auto& last = static_cast<SignalInterrupt*>(self)->last_;
        const auto now = Clock::now();
        if (last == Clock::time_point{}) last = now;
        if (now - last < between) return;
        last = now;
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }

    static constexpr std::chrono::milliseconds between{50};
    Clock::time_point last_{};  // set by the first check: work that is done before pays for no look at the clock
    nonproj::Interrupt interrupt_;
};

// Work that may take long: other threads have the interpreter meanwhile, and Ctrl-C is heard.
template <class Compute>
auto without_gil(const Compute& compute) {
    nb::gil_scoped_release released;
    SignalInterrupt interrupt;
    return compute();
}
