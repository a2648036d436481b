// The network of trees by the names that parsers know.
#pragma once
#include "nonproj/learn/network/trees.hpp"

namespace nonproj::learn {

using NetworkSizes = TreeSizes;
using Network = TreeNetwork;
using NetworkPass = TreePass;

}  // namespace nonproj::learn
