// The one error the core throws for bad input; Python sees it as nonproj.NonprojError.
#pragma once
#include <stdexcept>
#include <string>

namespace nonproj {

struct Error : std::invalid_argument {
    explicit Error(const std::string& message) : std::invalid_argument(message) {}
};

}  // namespace nonproj
