#include "bind.hpp"

void bind_trees(nb::module_&) {}
