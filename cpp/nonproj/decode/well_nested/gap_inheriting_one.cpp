#include "nonproj/decode/machine/answers.hpp"
#include "nonproj/decode/well_nested/gap_inheriting.hpp"

template struct nonproj::nested::Answers<nonproj::nested::OneInheriting>;
