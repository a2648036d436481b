#include "nonproj/decode/gap_inheriting.hpp"
#include "nonproj/decode/nested_answers.hpp"

template struct nonproj::nested::Answers<nonproj::nested::AnyInheriting>;
