#include "bind.hpp"

void bind_conll(nb::module_&) {}
