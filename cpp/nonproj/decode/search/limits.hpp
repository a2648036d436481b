// The limits of a search, where none were given, and in words.
#pragma once
#include <string>

#include "nonproj/decode/search/decode_options.hpp"

namespace nonproj {

inline int work_limit_of(const DecodeOptions& options) { return options.work_limit > 0 ? options.work_limit : 10'000; }

inline std::string mebibytes(double bytes) { return std::to_string(static_cast<long long>(bytes / 1048576)) + " MiB"; }

}  // namespace nonproj
