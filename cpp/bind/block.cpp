// Blocks of sentences for Python.
#include "nonproj/block/block.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "nonproj/error.hpp"
#include "support/bind.hpp"
#include "support/casters.hpp"
#include "support/numpy.hpp"

using namespace nb::literals;
using namespace nonproj;
using namespace nonproj::block;

namespace {

using Numbers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::typed<nb::list, nb::str> column_of_block(const Block& self, const std::string& name) {
    const Column& column = self.column(name);
    std::vector<nb::object> made(column.values.size());
    nb::typed<nb::list, nb::str> list;
    for (const Id id : self.cells(column)) {
        if (!made[id].is_valid()) made[id] = nb::str(column.values[id].data(), column.values[id].size());
        list.append(made[id]);
    }
    return list;
}

NumpyArray<std::int64_t, 1> offsets_of_block(const Block& self) {
    std::vector<std::int64_t> offsets;
    for (const std::int64_t offset : self.offsets()) offsets.push_back(offset - self.offsets().front());
    const std::size_t size = offsets.size();
    return to_numpy(std::move(offsets), {size});
}

NumpyArray<std::int32_t, 1> heads_of_block(const Block& self) {
    return to_numpy(std::vector<std::int32_t>(self.heads().begin(), self.heads().end()), {self.words()});
}

nb::typed<nb::list, nb::bytes> written_block(const Block& self) {
    std::vector<std::string> texts;
    {
        nb::gil_scoped_release release;
        texts = self.written();
    }
    nb::typed<nb::list, nb::bytes> list;
    for (const std::string& text : texts) list.append(nb::bytes(text.data(), text.size()));
    return list;
}

const TokenText& text_of(const Block& self) {
    const auto* text = std::get_if<TokenText>(&self.table().source);
    if (text == nullptr) throw Error("the block was read from rows, not from a text: it has no tokens of one");
    return *text;
}

NumpyArray<std::int64_t, 2> tokens_of_block(const Block& self) {
    const TokenText& text = text_of(self);
    std::vector<std::int64_t> numbers;
    for (std::size_t i = self.first(); i < self.first() + self.size(); ++i)
        for (const Token& token : text.tokens_of(i))
            numbers.insert(numbers.end(), {token.first_letter, token.letters_end, token.words});
    const std::size_t count = numbers.size() / 3;
    return to_numpy<2>(std::move(numbers), {count, 3});
}

}  // namespace

void bind_block(nb::module_& m) {
    nb::class_<Block>(m, "Block")
        .def(
            "__init__",
            [](Block* self, const std::vector<conll::Run>& runs) {
                nb::gil_scoped_release release;
                new (self) Block(Block::of_rows(runs));
            },
            nb::keep_alive<1, 2>(), "runs"_a)
        .def_static(
            "of_words",
            [](const std::vector<std::vector<std::string>>& sentences) { return Block::of_words(sentences); },
            "sentences"_a, "Sentences of ready-made words, with a space between each two.")
        .def("__len__", &Block::size)
        .def_prop_ro("words", &Block::words)
        .def_prop_ro("offsets", &offsets_of_block, nb::rv_policy::move,
                     "Sentence i has the words from offsets[i] up to offsets[i + 1].")
        .def_prop_ro("heads", &heads_of_block, nb::rv_policy::move,
                     "Of all words in order; -1 where they are not known.")
        .def("column", &column_of_block, "name"_a, "One column of all words, as Treebank.column gives it.")
        .def_prop_ro("tokens", &tokens_of_block, nb::rv_policy::move,
                     "Of every token of a text: its first character in the source, the one after its last, its words.")
        .def(
            "place",
            [](const Block& self, std::size_t sentence) {
                const auto& place = text_of(self).sentences.at(self.first() + sentence);
                return std::make_pair(place.line, place.number);
            },
            "sentence"_a, "Of a sentence of a text: the line of the source where it begins, and its number.")
        .def(
            "__getitem__",
            [](const Block& self, const nb::slice& slice) {
                const auto [start, stop, step, count] = slice.compute(self.size());
                if (step != 1) throw Error("a part of a block is of sentences that follow each other");
                return self.part(static_cast<std::size_t>(start), static_cast<std::size_t>(start) + count);
            },
            nb::keep_alive<0, 1>(), "key"_a, "Some of the sentences, of the same table.")
        .def(
            "fill",
            [](const Block& self, const std::string& name, const std::vector<std::string>& cells) {
                self.fill(self.column(name), cells);
            },
            "name"_a, "cells"_a, "Put a cell for each word into a column.")
        .def(
            "fill_heads",
            [](const Block& self, const Numbers& heads) { self.fill_heads({heads.data(), heads.size()}); }, "heads"_a)
        .def(
            "fill_relations",
            [](const Block& self, const Numbers& relations, const std::vector<std::string>& names) {
                self.fill_relations({relations.data(), relations.size()}, names);
            },
            "relations"_a, "names"_a, "Put the relation of each word, by its place among the names, into its column.")
        .def("written", &written_block,
             "The text of the sentences, in parts: where they were read from rows, all that was not filled in is as it "
             "was.");
}
