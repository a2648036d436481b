// What the files of bindings for learners share: tables in and out, and parsing on several threads.
#pragma once
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nonproj/learn/corpus.hpp"
#include "nonproj/learn/weights.hpp"
#include "nonproj/parallel_for.hpp"
#include "support/bind.hpp"
#include "support/numpy.hpp"
#include "support/signal_interrupt.hpp"

void bind_transition_learners(nb::module_& m);

namespace learn_bindings {

template <class Value>
using Flat = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value>
std::span<const Value> span_of(const Flat<Value>& array) {
    return {array.data(), array.size()};
}

template <class Value>
using PackedArrays = std::pair<NumpyArray<std::uint64_t, 1>, NumpyArray<Value, 1>>;

template <class Value>
PackedArrays<Value> packed(std::span<const Value> table) {
    nonproj::learn::Packed<Value> made = nonproj::learn::pack(table);
    const std::size_t marks = made.marks.size(), values = made.values.size();
    return {to_numpy(std::move(made.marks), {marks}), to_numpy(std::move(made.values), {values})};
}
inline std::span<const float> values_of(const nonproj::learn::Table& table) { return {table.data(), table.size()}; }

inline void fill(nonproj::learn::Table& table, const Flat<std::uint64_t>& marks, const Flat<float>& values) {
    nonproj::learn::unpack<float>(span_of(marks), span_of(values), {table.data(), table.size()});
}

// The state of a table that learns: weights, what the average needs, and the number of steps.
inline auto state_of(const nonproj::learn::AveragedTable& table) {
    return std::make_pair(std::make_pair(packed(values_of(table.now())), packed(std::span<const double>(table.late()))),
                          table.steps());
}
inline void resume(nonproj::learn::AveragedTable& table, const Flat<std::uint64_t>& marks, const Flat<float>& values,
                   const Flat<std::uint64_t>& late_marks, const Flat<double>& late_values, std::uint64_t steps) {
    fill(table.now(), marks, values);
    nonproj::learn::unpack<double>(span_of(late_marks), span_of(late_values), table.late());
    table.resume(steps);
}

using Parses = std::pair<NumpyArray<std::int32_t, 1>, NumpyArray<std::int32_t, 1>>;

// Heads and relations of a whole corpus. Each thread gets a workspace from make().
template <class Make, class Weights>
Parses parse(const nonproj::learn::Corpus& corpus, const Make& make, const Weights& weights, int threads) {
    std::vector<std::int32_t> heads(corpus.words()), relations(corpus.words());
    {
        nb::gil_scoped_release release;
        SignalInterrupt interrupt;
        std::mutex mutex;
        std::vector<decltype(make())> idle;
        nonproj::parallel_for(corpus.sentences(), threads, [&](std::size_t i) {
            decltype(make()) workspace;
            {
                const std::lock_guard lock(mutex);
                if (!idle.empty()) {
                    workspace = std::move(idle.back());
                    idle.pop_back();
                }
            }
            if (!workspace) workspace = make();
            nonproj::Interrupt::check();
            const std::size_t begin = corpus.offsets()[i], size = corpus.offsets()[i + 1] - begin;
            workspace->parse(corpus[i], weights, {heads.data() + begin, size}, {relations.data() + begin, size});
            const std::lock_guard lock(mutex);
            idle.push_back(std::move(workspace));
        });
    }
    const std::size_t words = heads.size();
    return {to_numpy(std::move(heads), {words}), to_numpy(std::move(relations), {words})};
}

}  // namespace learn_bindings
