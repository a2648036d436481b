#include "nonproj/decode/well_nested/gap_minding.hpp"

#include "nonproj/decode/machine/answers.hpp"

template struct nonproj::nested::Answers<nonproj::nested::GapMinding>;
