// What each file of bindings adds to the private module nonproj._core.
#pragma once
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_trees(nb::module_& m);
void bind_classes(nb::module_& m);
void bind_block(nb::module_& m);
void bind_conll(nb::module_& m);
void bind_decode(nb::module_& m);
void bind_sums(nb::module_& m);
void bind_transition(nb::module_& m);
void bind_lifting(nb::module_& m);
void bind_grammar(nb::module_& m);
void bind_learn(nb::module_& m);
void bind_text(nb::module_& m);
void bind_testing(nb::module_& m);
