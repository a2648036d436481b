// What each file of bindings adds to the private module nonproj._core.
#pragma once
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_trees(nb::module_& m);
void bind_conll(nb::module_& m);
void bind_spanning(nb::module_& m);
void bind_charts(nb::module_& m);
void bind_decode(nb::module_& m);
void bind_one_endpoint_crossing(nb::module_& m);
void bind_one_endpoint_crossing_sums(nb::module_& m);
void bind_learn(nb::module_& m);
void bind_lifting(nb::module_& m);
void bind_transition(nb::module_& m);
void bind_nested(nb::module_& m);
void bind_gaps(nb::module_& m);
void bind_second_order(nb::module_& m);
void bind_unlexicalised(nb::module_& m);
