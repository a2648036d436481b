// A transition system as Python holds it.
#pragma once
#include <memory>

#include "nonproj/transition/any_system.hpp"

struct SystemHandle {
    std::shared_ptr<const nonproj::AnySystem> system;
};
