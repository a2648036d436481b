#include "nonproj/decode/head_split_one.hpp"
#include "nonproj/decode/nested_answers.hpp"

template struct nonproj::nested::Answers<nonproj::nested::HeadSplitOne>;
