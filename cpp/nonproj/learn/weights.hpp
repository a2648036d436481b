// A table of weights addressed by hash. Features that hash to the same place share a weight.
//
// The table is cut into lines of 16 weights, one line of the processor's cache each. A feature names a line by its hash
// and a slot in it by something with few values, such as direction and distance, so that all the variants of a feature
// cost one access to memory.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "nonproj/error.hpp"
#include "nonproj/learn/hash.hpp"
#include "nonproj/parallel_for.hpp"

namespace nonproj::learn {

inline constexpr int slots = 16;  // a power of two

// Zeroed memory for tables, in large pages, since their places are visited at random. A page costs nothing before it is
// written to: a table is never filled with zeros.
template <class Value>
struct PageAllocator {
    using value_type = Value;
    static constexpr std::size_t page = std::size_t{1} << 21;

    PageAllocator() = default;
    template <class Other>
    explicit PageAllocator(const PageAllocator<Other>&) {}
#if defined(__linux__)
    Value* allocate(std::size_t count) {
        const std::size_t size = whole_pages(count);
        void* const found = mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (found == MAP_FAILED) throw std::bad_alloc();
        // What lies before the first large page, and behind the last one, is given back.
        char* const begin = static_cast<char*>(found);
        const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
        if (before > 0) munmap(begin, before);
        munmap(begin + before + size, page - before);
        madvise(begin + before, size, MADV_HUGEPAGE);  // without it all is the same, only slower
        return reinterpret_cast<Value*>(begin + before);
    }
    void deallocate(Value* values, std::size_t count) { munmap(values, whole_pages(count)); }
#else
    Value* allocate(std::size_t count) {
        void* const found = std::calloc(count, sizeof(Value));
        if (found == nullptr) throw std::bad_alloc();
        return static_cast<Value*>(found);
    }
    void deallocate(Value* values, std::size_t) { std::free(values); }
#endif
    void construct(Value*) {}  // zero already
    template <class... Given>
    void construct(Value* place, const Given&... given) {
        new (place) Value(given...);
    }
    friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }

  private:
    static std::size_t whole_pages(std::size_t count) {
        constexpr std::size_t small_page = std::size_t{1} << 16;  // or less, as the system has it
        return (count * sizeof(Value) + small_page - 1) / small_page * small_page;
    }
};

// The place of a weight: the line of the hash, then the slot.
class Addressing {
  public:
    explicit Addressing(int bits) : shift_(64 - (bits - 4)) {}
    std::size_t line(Hash hash) const { return static_cast<std::size_t>((hash * golden) >> shift_) * slots; }
    // Of a feature that names its weight alone.
    std::size_t place(Hash hash) const { return static_cast<std::size_t>((hash * golden) >> (shift_ - 4)); }
    // Of a hash of half the length that is well mixed.
    std::uint32_t line(std::uint32_t hash) const { return hash >> (shift_ - 32) << 4; }

  private:
    int shift_;
};

// Asks for a line of the cache before it is needed: most of the time of a parser goes into waiting for weights.
inline void prefetch(const void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place);
#endif
}

// No weight that is read may be larger. Training makes none of a thousand; sums of thousands of weights of this size are
// neither infinite nor lose what they differ by.
inline constexpr float largest_weight = 1e6f;

// An error unless all are numbers of at most that size.
inline void check_weights(std::span<const float> weights) {
    bool are_sound = true;
    for (const float weight : weights) are_sound &= std::abs(weight) <= largest_weight;  // not so of NaN
    if (!are_sound) throw Error("the weights are damaged: one is not a number from -1000000 to 1000000");
}

// A table of weights.
class WeightTable {
  public:
    explicit WeightTable(int bits) : bits_(checked(bits)), values_(std::size_t{1} << bits) {}

    int bits() const { return bits_; }
    std::size_t size() const { return values_.size(); }
    Addressing addressing() const { return Addressing(bits_); }
    const float* data() const { return values_.data(); }
    float* data() { return values_.data(); }
    float operator[](std::size_t place) const { return values_[place]; }
    float& operator[](std::size_t place) { return values_[place]; }
    // Whether values that were read may be its weights: an error if not.
    static void check(std::span<const float> values) { check_weights(values); }

    static int checked(int bits) {
        if (bits < 10 || bits > 28) throw Error("a table has 2^10 to 2^28 weights, not 2^" + std::to_string(bits));
        return bits;
    }

  private:
    int bits_;
    std::vector<float, PageAllocator<float>> values_;
};

// Settled weights in 16 bits, half the memory to wait for: multiples of a 4095th of the largest, so that the sums of eight
// fit as well. That unit is forgotten: sums can only be compared with each other.
class SmallWeightTable {
  public:
    static constexpr std::int16_t largest = 4095;

    explicit SmallWeightTable(int bits) : bits_(WeightTable::checked(bits)), values_(std::size_t{1} << bits) {}
    explicit SmallWeightTable(const WeightTable& weights) : SmallWeightTable(weights.bits()) {
        float most = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) most = std::max(most, std::abs(weights[i]));
        if (most == 0) return;
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (weights[i] != 0) values_[i] = static_cast<std::int16_t>(std::lround(weights[i] / most * largest));
    }

    std::size_t size() const { return values_.size(); }
    Addressing addressing() const { return Addressing(bits_); }
    const std::int16_t* data() const { return values_.data(); }
    std::int16_t* data() { return values_.data(); }
    std::int16_t operator[](std::size_t place) const { return values_[place]; }
    static void check(std::span<const std::int16_t> values) {
        for (const std::int16_t value : values)
            if (value > largest || value < -largest) throw Error("the weights are damaged: one is too large");
    }

  private:
    int bits_;
    std::vector<std::int16_t, PageAllocator<std::int16_t>> values_;
};

// Features come as single places, or as lines with the same one or two slots in each. This turns all of them into places.
template <class TakePlace>
struct PlaceByPlace {
    TakePlace take;

    void place(std::size_t place) const { take(place); }
    void lines(std::span<const std::uint32_t> lines, int slot) const {
        for (const std::uint32_t line : lines) take(std::size_t{line} + slot);
    }
    void lines(std::span<const std::uint32_t> each, int slot, int other) const {
        lines(each, slot);
        lines(each, other);
    }
};
template <class TakePlace>
PlaceByPlace(TakePlace) -> PlaceByPlace<TakePlace>;

// Sums of weights: first all features are named, then all sums are taken, and weights are asked for some way ahead of
// their turn, so that memory works all the time.
class Gathering {
  public:
    void clear() {
        used_ = 0;
        runs_.clear();
        ends_.clear();
    }

    // Names features; they are added to the sum that has not ended.
    class Features {
      public:
        explicit Features(Gathering& gathering) : gathering_(gathering) {}
        void place(std::size_t place) const {
            *gathering_.room(1) = static_cast<std::uint32_t>(place);
            gathering_.extend_run(0, no_slot);
        }
        template <std::size_t Count>
        void lines(std::span<const std::uint32_t, Count> lines, int slot, int other = no_slot) const {
            std::copy_n(lines.data(), Count, gathering_.room(Count));
            gathering_.extend_run(slot, other);
        }

      private:
        Gathering& gathering_;
    };
    Features features() { return Features(*this); }
    // What was named since the last sum is one sum.
    void end_sum() { ends_.push_back(static_cast<std::uint32_t>(runs_.size())); }
    // Whether the sums should be taken before more is named: what is named stays in the cache.
    bool is_full() const { return used_ >= 4096; }

    // Calls take(i, sum) for every sum, and forgets them.
    template <class Take>
    void each_sum(const WeightTable& weights, const Take& take) {
        std::fill_n(room(ahead), ahead, 0);
        for (std::size_t i = 0; i < ahead; ++i) prefetch(weights.data() + lines_[i]);
        std::uint32_t next = 0, run = 0;
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            float sum = 0;
            for (; run < ends_[i]; ++run) {
                const auto [end, slot, other] = runs_[run];
                if (other == no_slot)
                    sum += totals<1>(weights.data(), {slot}, next, end)[0];
                else
                    for (const float total : totals<2>(weights.data(), {slot, other}, next, end)) sum += total;
                next = end;
            }
            take(i, sum);
        }
        clear();
    }

  private:
    static constexpr int no_slot = -1;
    static constexpr std::size_t ahead =
        256;  // lines: what is asked for early comes while others are summed, and still is in the nearest cache
    struct Run {
        std::uint32_t end;
        std::int16_t slot, other;
    };

    std::uint32_t* room(std::size_t lines) {
        if (lines_.size() < used_ + lines) [[unlikely]]
            lines_.resize(std::max<std::size_t>(1024, 2 * (used_ + lines)));
        used_ += static_cast<std::uint32_t>(lines);
        return lines_.data() + used_ - lines;
    }
    void extend_run(int slot, int other) {
        const bool goes_on = !runs_.empty() && (ends_.empty() || ends_.back() < runs_.size()) &&
                             runs_.back().slot == slot && runs_.back().other == other;
        if (!goes_on) runs_.push_back({0, static_cast<std::int16_t>(slot), static_cast<std::int16_t>(other)});
        runs_.back().end = used_;
    }
    // Of each of several slots of the same lines.
    template <std::size_t Slots>
    std::array<float, Slots> totals(const float* weights, const std::array<int, Slots>& slot, std::uint32_t begin,
                                    std::uint32_t end) const {
        float sums[Slots][4] = {};  // four do not wait for each other
        const auto add = [&](std::uint32_t line, std::size_t k) {
            prefetch(weights + lines_[line + ahead]);
            for (std::size_t s = 0; s < Slots; ++s) sums[s][k] += weights[lines_[line] + slot[s]];
        };
        for (; begin + 4 <= end; begin += 4)
            for (std::uint32_t k = 0; k < 4; ++k) add(begin + k, k);
        for (; begin < end; ++begin) add(begin, 0);
        std::array<float, Slots> totals;
        for (std::size_t s = 0; s < Slots; ++s) totals[s] = (sums[s][0] + sums[s][1]) + (sums[s][2] + sums[s][3]);
        return totals;
    }

    std::vector<std::uint32_t> lines_;
    std::uint32_t used_ = 0;
    std::vector<Run> runs_;  // lines with the same slots
    std::vector<std::uint32_t> ends_;
};

// Weights that learn, and their average over all the steps so far (Collins 2002): the sum of the weights after each
// step is steps x weights - (sum over changes of change x step at which it was made).
class AveragedWeights {
  public:
    explicit AveragedWeights(int bits) : now_(bits), late_(now_.size()) {}

    WeightTable& now() { return now_; }
    const WeightTable& now() const { return now_; }
    void add(std::size_t place, float change) {
        now_[place] += change;
        late_[place] += static_cast<double>(change) * static_cast<double>(steps_);
    }
    void end_sentence() { ++steps_; }
    WeightTable average() const {
        WeightTable result(now_.bits());
        for (std::size_t i = 0; i < now_.size(); ++i)
            result[i] = now_[i] == 0 && late_[i] == 0
                            ? 0
                            : static_cast<float>(now_[i] - late_[i] / static_cast<double>(steps_));
        return result;
    }

    // What a resumed training starts from.
    std::uint64_t steps() const { return steps_; }
    std::vector<double>& late() { return late_; }
    const std::vector<double>& late() const { return late_; }
    void resume(std::uint64_t steps) { steps_ = steps; }

  private:
    WeightTable now_;
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

// On several threads, since the system takes its time to find memory for a table that was never written to.
template <class Value>
void unpack(std::span<const std::uint64_t> marks, std::span<const Value> values, std::span<Value> table) {
    if (marks.size() != (table.size() + 63) / 64) throw Error("the weights are damaged: the table has another size");
    if (table.size() % 64 != 0 && marks.back() >> (table.size() % 64) != 0)
        throw Error("the weights are damaged: a value lies outside the table");
    constexpr std::size_t portion = std::size_t{1} << 13;  // of marks: those of a large page of floats
    std::vector<std::size_t> begins{0};
    for (std::size_t begin = 0; begin < marks.size(); begin += portion) {
        std::size_t count = begins.back();
        for (const std::uint64_t bits : marks.subspan(begin, std::min(portion, marks.size() - begin)))
            count += static_cast<std::size_t>(std::popcount(bits));
        begins.push_back(count);
    }
    if (begins.back() > values.size()) throw Error("the weights are damaged: values are missing");
    if (begins.back() < values.size()) throw Error("the weights are damaged: there are values to spare");
    const auto threads = static_cast<int>(std::thread::hardware_concurrency());
    parallel_for(begins.size() - 1, begins.back() == 0 ? 1 : threads, [&](std::size_t i) {
        const Value* next = values.data() + begins[i];
        for (std::size_t block = i * portion; block < std::min((i + 1) * portion, marks.size()); ++block)
            for (std::uint64_t bits = marks[block]; bits != 0; bits &= bits - 1)
                table[block * 64 + static_cast<std::size_t>(std::countr_zero(bits))] = *next++;
    });
}

}  // namespace nonproj::learn
