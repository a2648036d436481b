#include "nonproj/decode/attardi/push_computations.hpp"

#include "nonproj/decode/machine/answers.hpp"

namespace nonproj::nested {

// All but the best tree, which attardi.hpp finds faster.
using Sums = Answers<PushComputations>;
template double Sums::log_partition(const ArcScores<double>&, bool);
template std::uint64_t Sums::count(const ArcScores<double>&, bool, std::uint64_t);
template void Sums::marginals(const ArcScores<double>&, bool, double*);
template bool Sums::sample(const ArcScores<double>&, bool, std::size_t, std::uint64_t, std::int32_t*);

}  // namespace nonproj::nested
