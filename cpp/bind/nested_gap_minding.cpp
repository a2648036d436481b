#include "nonproj/decode/gap_minding.hpp"
#include "nonproj/decode/nested_answers.hpp"

template struct nonproj::nested::Answers<nonproj::nested::GapMinding>;
