#include "nonproj/decode/attardi/push_computations.hpp"

#include "nonproj/decode/attardi/attardi.hpp"
#include "nonproj/decode/machine/solve.hpp"

namespace nonproj::attardi {

constinit const ChartSums sums = nested::Questions<nested::PushComputations>::sums();

}  // namespace nonproj::attardi
