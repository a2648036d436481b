#include "bind.hpp"

void bind_charts(nb::module_&) {}
