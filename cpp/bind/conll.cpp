#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "nonproj/conll/index.hpp"
#include "nonproj/conll/removal.hpp"
#include "nonproj/conll/rewrite.hpp"
#include "nonproj/conll/run.hpp"
#include "nonproj/error.hpp"
#include "support/bind.hpp"
#include "support/casters.hpp"
#include "support/numpy.hpp"

using namespace nonproj;
using namespace nonproj::conll;

namespace {

template <class Number>
using View = nb::ndarray<nb::numpy, const Number, nb::ndim<1>, nb::c_contig>;
using Heads = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Place = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::int64_t, std::int64_t>;

template <class Vector>
auto view(const Vector& vector, nb::handle owner) {
    return View<typename Vector::value_type>(vector.data(), {vector.size()}, owner);
}

Place place(const Span& span) { return {span.begin, span.body, span.body_end, span.end, span.line, span.number}; }

nb::bytes as_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }

Column column_of(int number) {
    if (number < 0 || number >= columns) throw Error("there are ten columns, 0 to 9");
    return static_cast<Column>(number);
}

const Span& span_of(const Indexer& indexer, std::size_t sentence) {
    if (sentence >= indexer.index().spans.size()) throw nb::index_error();
    return indexer.index().spans[sentence];
}

// Reading on may move the arrays, so nobody gets a view of them before the end.
const Index& finished(const Indexer& indexer) {
    if (!indexer.is_done()) throw Error("the text has not been read to its end");
    return indexer.index();
}

void construct(Indexer* self, const nb::bytes& text, std::size_t start, bool is_whole, bool stop_at_fault,
               bool allow_open, bool ignore_heads, std::int64_t first_line, std::int64_t first_number) {
    const Options options{start, is_whole, stop_at_fault, allow_open, ignore_heads, first_line, first_number};
    new (self) Indexer({text.c_str(), text.size()}, options);
}

// (place, line, number of sound sentences before it, message)
using FaultRecord = std::tuple<Place, std::int64_t, std::size_t, nb::bytes>;

std::vector<FaultRecord> faults(const Indexer& indexer) {
    std::vector<FaultRecord> records;
    for (const Fault& fault : indexer.index().faults)
        records.emplace_back(place(fault.span), fault.line, fault.before, as_bytes(fault.message));
    return records;
}

nb::typed<nb::list, nb::str> column_list(const Run& run, int column) {
    nb::typed<nb::list, nb::str> list;
    each_cell(run, column_of(column), [&](std::string_view cell) { list.append(nb::str(cell.data(), cell.size())); });
    return list;
}

std::pair<View<std::int64_t>, View<std::uint8_t>> column_cells(const Run& run, int column) {
    const Column which = column_of(column);
    auto cells = std::make_unique<Cells>();
    {
        nb::gil_scoped_release release;
        *cells = cut_column(run, which);
    }
    const Cells* kept = cells.get();
    nb::capsule owner(cells.release(), [](void* cells) noexcept { delete static_cast<Cells*>(cells); });
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(kept->bytes.data());
    return {view(kept->offsets, owner), View<std::uint8_t>(bytes, {kept->bytes.size()}, owner)};
}

std::pair<NumpyArray<std::int32_t, 1>, nb::typed<nb::list, nb::str>> column_codes(const Run& run, int column) {
    const Column which = column_of(column);
    CodedColumn coded;
    {
        nb::gil_scoped_release release;
        coded = code_column(run, which);
    }
    nb::typed<nb::list, nb::str> values;
    for (std::string_view value : coded.values) values.append(nb::str(value.data(), value.size()));
    const std::size_t words = coded.codes.size();
    return {to_numpy(std::move(coded.codes), {words}), values};
}

nb::typed<nb::list, nb::bytes> rewrite_runs(const std::vector<Run>& runs, Heads heads,
                                            const std::vector<std::string>& deprels,
                                            const std::vector<std::string>& comments) {
    std::vector<std::string> texts;
    {
        nb::gil_scoped_release release;
        texts = rewrite(runs, {{heads.data(), heads.size()}, deprels, comments});
    }
    nb::typed<nb::list, nb::bytes> list;
    for (const std::string& text : texts) list.append(as_bytes(text));
    return list;
}

using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::typed<nb::list, nb::bytes> runs_without_words(const std::vector<Run>& runs, const Flags& removed,
                                                  const Heads& number, const Heads& heads, const Heads& relation_from) {
    const Removal removal{{removed.data(), removed.size()},
                          {number.data(), number.size()},
                          {heads.data(), heads.size()},
                          {relation_from.data(), relation_from.size()}};
    std::vector<std::string> texts;
    {
        nb::gil_scoped_release release;
        texts = without_words(runs, removal);
    }
    nb::typed<nb::list, nb::bytes> list;
    for (const std::string& text : texts) list.append(as_bytes(text));
    return list;
}

}  // namespace

void bind_conll(nb::module_& m) {
    nb::class_<Indexer>(m, "ConllIndex")
        .def("__init__", &construct, nb::keep_alive<1, 2>(), nb::arg("text"), nb::arg("start"), nb::arg("is_whole"),
             nb::arg("stop_at_fault"), nb::arg("allow_open"), nb::arg("ignore_heads"), nb::arg("first_line"),
             nb::arg("first_number"))
        .def("advance", &Indexer::advance, nb::arg("bytes"), nb::call_guard<nb::gil_scoped_release>())
        .def("__len__", [](const Indexer& self) { return self.index().spans.size(); })
        .def(
            "run", [](const Indexer& self, std::size_t first, std::size_t last) { return Run(self, first, last); },
            nb::keep_alive<0, 1>(), nb::arg("first"), nb::arg("last"))
        .def("place", [](const Indexer& self, std::size_t sentence) { return place(span_of(self, sentence)); })
        .def_prop_ro("heads",
                     [](nb::pointer_and_handle<Indexer> self) { return view(finished(*self.p).heads, self.h); })
        .def_prop_ro("offsets",
                     [](nb::pointer_and_handle<Indexer> self) { return view(finished(*self.p).offsets, self.h); })
        .def_prop_ro("faults", &faults)
        .def_prop_ro("rest", &Indexer::rest)
        .def_prop_ro("rest_line", &Indexer::rest_line)
        .def_prop_ro("rest_number", &Indexer::rest_number);
    nb::class_<Run>(m, "ConllRun")
        .def("column", &column_list, nb::arg("column"))
        .def("cells", &column_cells, nb::arg("column"))
        .def("codes", &column_codes, nb::arg("column"),
             "A number for each word, and the value that each number stands for");
    m.def("conll_rewrite", &rewrite_runs, nb::arg("runs"), nb::arg("heads"), nb::arg("deprels"), nb::arg("comments"));
    m.def("conll_without_words", &runs_without_words, nb::arg("runs"), nb::arg("removed"), nb::arg("number"),
          nb::arg("heads"), nb::arg("relation_from"), "The text of each sentence that does not lose all its words");
}
