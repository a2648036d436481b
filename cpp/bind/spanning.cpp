#include "bind.hpp"

void bind_spanning(nb::module_&) {}
