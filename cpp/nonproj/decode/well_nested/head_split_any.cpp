#include "nonproj/decode/well_nested/head_split_any.hpp"

#include "nonproj/decode/machine/answers.hpp"

template struct nonproj::nested::Answers<nonproj::nested::HeadSplitAny>;
