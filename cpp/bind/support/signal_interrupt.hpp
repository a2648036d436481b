// Lets Ctrl-C stop work that runs without the GIL: make one, and the work that checks its interrupt hears signals.
#pragma once
#include <chrono>

#include "nonproj/interrupt.hpp"
#include "support/bind.hpp"

class SignalInterrupt {
  public:
    SignalInterrupt() : interrupt_(&SignalInterrupt::check, this) {}

  private:
    static void check(void* self) {
        auto& due = static_cast<SignalInterrupt*>(self)->due_;
        const auto now = std::chrono::steady_clock::now();
        if (now < due) return;
        due = now + between;
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }

    static constexpr std::chrono::milliseconds between{50};
    std::chrono::steady_clock::time_point due_ = std::chrono::steady_clock::now() + between;
    nonproj::Interrupt interrupt_;
};
