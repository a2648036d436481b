#include "nonproj/error.hpp"
#include "nonproj/memory.hpp"
#include "support/bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The native core of nonproj. Private: use the names of the package nonproj.";
    // The catalogue of classes lives as long as the interpreter: that is no leak.
    nb::set_leak_warnings(false);
    nb::register_exception_translator([](const std::exception_ptr& p, void*) {
        try {
            std::rethrow_exception(p);
        } catch (const nonproj::Error& error) {
            nb::object type = nb::module_::import_("nonproj.errors").attr("NonprojError");
            PyErr_SetString(type.ptr(), error.what());
        } catch (const nonproj::OutOfMemory&) {
            throw;  // nanobind makes a MemoryError of its message
        } catch (const std::bad_alloc&) {
            PyErr_SetString(PyExc_MemoryError, "there is not enough memory for this");
        }
    });
    bind_trees(m);
    bind_classes(m);
    bind_conll(m);
    bind_block(m);
    bind_decode(m);
    bind_sums(m);
    bind_transition(m);
    bind_lifting(m);
    bind_grammar(m);
    bind_learn(m);
    bind_text(m);
#ifdef NONPROJ_TESTING
    bind_testing(m);
#endif
}
