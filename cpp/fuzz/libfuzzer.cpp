// A target for libFuzzer; NONPROJ_TARGET names it.
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    nonproj::fuzz::NONPROJ_TARGET({data, size});  // an exception that is thrown here is a finding
    return 0;
}
