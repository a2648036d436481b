// A table of weights addressed by hash. Features that hash to the same place share a weight.
//
// The table is cut into lines of 16 weights, one line of the processor's cache each. A feature names a line by its hash
// and a slot in it by something with few values, such as direction and distance, so that all the variants of a feature
// cost one access to memory.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "nonproj/error.hpp"
#include "nonproj/learn/hash.hpp"

namespace nonproj::learn {

inline constexpr int slots = 16;

// Memory for large tables in large pages, since their places are visited at random.
template <class Value>
struct PageAllocator {
    using value_type = Value;
    static constexpr std::align_val_t page{std::size_t{1} << 21};

    PageAllocator() = default;
    template <class Other>
    explicit PageAllocator(const PageAllocator<Other>&) {}
    Value* allocate(std::size_t count) {
        void* const values = ::operator new(count * sizeof(Value), page);
#if defined(__linux__)
        madvise(values, count * sizeof(Value), MADV_HUGEPAGE);  // without it all is the same, only slower
#endif
        return static_cast<Value*>(values);
    }
    void deallocate(Value* values, std::size_t) { ::operator delete(values, page); }
    friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }
};

// The place of a weight: the line of the hash, then the slot.
class Addressing {
  public:
    explicit Addressing(int bits) : shift_(64 - (bits - 4)) {}
    std::size_t line(Hash hash) const { return static_cast<std::size_t>((hash * golden) >> shift_) * slots; }
    // Of a hash of half the length that is well mixed: the line's number, not yet times the slots.
    std::uint32_t number_of_line(std::uint32_t hash) const { return hash >> (shift_ - 32); }

  private:
    int shift_;
};

// Asks for a line of the cache before it is needed: most of the time of a parser goes into waiting for weights.
inline void prefetch(const float* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place);
#endif
}

// A table of weights.
class Table {
  public:
    explicit Table(int bits) : bits_(checked(bits)), values_(std::size_t{1} << bits) {}

    int bits() const { return bits_; }
    std::size_t size() const { return values_.size(); }
    Addressing addressing() const { return Addressing(bits_); }
    const float* data() const { return values_.data(); }
    float* data() { return values_.data(); }
    float operator[](std::size_t place) const { return values_[place]; }
    float& operator[](std::size_t place) { return values_[place]; }

  private:
    static int checked(int bits) {
        if (bits < 10 || bits > 28) throw Error("a table has 2^10 to 2^28 weights, not 2^" + std::to_string(bits));
        return bits;
    }
    int bits_;
    std::vector<float, PageAllocator<float>> values_;
};

// Sums of weights that wait for memory together: first all places are named, then all sums are taken.
class Gathering {
  public:
    void clear() {
        used_ = 0;
        ends_.clear();
    }
    void add(const Table& weights, std::size_t place) {
        prefetch(weights.data() + place);
        if (used_ == places_.size()) [[unlikely]]
            grow();
        places_[used_++] = static_cast<std::uint32_t>(place);
    }
    // What was added since the last sum is one sum.
    void end_sum() { ends_.push_back(used_); }
    // Calls take(i, sum) for every sum.
    template <class Take>
    void each_sum(const Table& weights, const Take& take) const {
        const float* const values = weights.data();
        std::size_t next = 0;
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            // Four at a time do not wait for each other.
            float sums[4] = {};
            for (; next + 4 <= ends_[i]; next += 4)
                for (std::size_t k = 0; k < 4; ++k) sums[k] += values[places_[next + k]];
            for (; next < ends_[i]; ++next) sums[0] += values[places_[next]];
            take(i, (sums[0] + sums[1]) + (sums[2] + sums[3]));
        }
    }

  private:
    [[gnu::noinline]] void grow() { places_.resize(std::max<std::size_t>(1024, 2 * used_)); }

    std::vector<std::uint32_t> places_;
    std::size_t used_ = 0;
    std::vector<std::size_t> ends_;
};

// Weights that learn, and their average over all the steps so far (Collins 2002): the sum of the weights after each
// step is steps x weights - (sum over changes of change x step at which it was made).
class AveragedTable {
  public:
    explicit AveragedTable(int bits) : now_(bits), late_(now_.size()) {}

    Table& now() { return now_; }
    const Table& now() const { return now_; }
    void add(std::size_t place, float change) {
        now_[place] += change;
        late_[place] += static_cast<double>(change) * static_cast<double>(steps_);
    }
    // Call after each sentence.
    void step() { ++steps_; }
    void average(Table& result) const {
        for (std::size_t i = 0; i < now_.size(); ++i)
            result[i] = now_[i] == 0 && late_[i] == 0
                            ? 0
                            : static_cast<float>(now_[i] - late_[i] / static_cast<double>(steps_));
    }

    // What a resumed training starts from.
    std::uint64_t steps() const { return steps_; }
    std::vector<double>& late() { return late_; }
    const std::vector<double>& late() const { return late_; }
    void resume(std::uint64_t steps) { steps_ = steps; }

  private:
    Table now_;
    std::vector<double> late_;
    std::uint64_t steps_ = 1;
};

// Packed: a bit for every place, set where there is a value, and the values one after the other.
template <class Value>
struct Packed {
    std::vector<std::uint64_t> marks;
    std::vector<Value> values;
};

template <class Value>
Packed<Value> pack(std::span<const Value> table) {
    Packed<Value> packed{std::vector<std::uint64_t>((table.size() + 63) / 64), {}};
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i] != 0) {
            packed.marks[i / 64] |= std::uint64_t{1} << (i % 64);
            packed.values.push_back(table[i]);
        }
    return packed;
}

template <class Value>
void unpack(std::span<const std::uint64_t> marks, std::span<const Value> values, std::span<Value> table) {
    if (marks.size() != (table.size() + 63) / 64) throw Error("the weights are damaged: the table has another size");
    std::size_t next = 0;
    for (std::size_t block = 0; block < marks.size(); ++block) {
        std::uint64_t bits = marks[block];
        if (next + std::popcount(bits) > values.size()) throw Error("the weights are damaged: values are missing");
        for (; bits != 0; bits &= bits - 1) {
            const std::size_t place = block * 64 + std::countr_zero(bits);
            if (place >= table.size()) throw Error("the weights are damaged: a value lies outside the table");
            table[place] = values[next++];
        }
    }
    if (next != values.size()) throw Error("the weights are damaged: there are values to spare");
}

}  // namespace nonproj::learn
