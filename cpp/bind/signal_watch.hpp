// Lets Ctrl-C stop work that runs without the GIL: make one, and the work that asks its watch now and then hears
// signals.
#pragma once
#include <chrono>

#include "bind.hpp"
#include "nonproj/decode/watch.hpp"

class SignalWatch {
  public:
    SignalWatch() : watch_(&SignalWatch::ask, this) {}

    static void ask(void* self) {
        auto& due = static_cast<SignalWatch*>(self)->due_;
        const auto now = std::chrono::steady_clock::now();
        if (now < due) return;
        due = now + between;
        nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }

  private:
    static constexpr std::chrono::milliseconds between{50};
    std::chrono::steady_clock::time_point due_ = std::chrono::steady_clock::now() + between;
    nonproj::Watch watch_;
};
