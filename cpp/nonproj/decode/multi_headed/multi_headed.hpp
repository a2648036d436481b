// Multi-headed trees: what the table of solvers knows of them.
#pragma once
#include "nonproj/decode/base/class_chart.hpp"

namespace nonproj::multi_headed {

extern const ClassChart chart;

}  // namespace nonproj::multi_headed
