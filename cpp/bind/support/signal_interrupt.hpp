// Lets Ctrl-C stop work that runs without the GIL: make one, and the work that checks its interrupt hears signals.
#pragma once
#include <chrono>

#include "nonproj/interrupt.hpp"
#include "support/bind.hpp"

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
