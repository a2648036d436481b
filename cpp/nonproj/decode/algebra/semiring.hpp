// Semirings, the algebra a chart is run in. S::Value with S::zero(), S::one(), S::plus, S::times and S::lift,
// which turns an arc score into a value. (plus, zero) and (times, one) are monoids, plus commutes, times
// distributes over plus, and zero annihilates: `semiring laws` in the tests checks them for each S below.
//
//   Best<Real>     max, +               score of the best tree
//   Count<Real>    +, x modulo a number    number of trees, put together by the Chinese remainder theorem
//
// and in scaled_sums.hpp
//   Linear         +, x                 sum over trees of exp(score), in plain doubles
//   WideSum        +, x                 the same with exponents that do not run out
//
// Sum<S> folds values with plus. It is specialised where that is cheaper than one plus after the other: it takes one
// division a sum for Count.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>

#include "nonproj/decode/base/arc_scores.hpp"
#include "nonproj/error.hpp"

namespace nonproj {

template <class S>
concept Semiring = requires(typename S::Value a, typename S::Real score) {
    { S::zero() } -> std::same_as<typename S::Value>;
    { S::one() } -> std::same_as<typename S::Value>;
    { S::plus(a, a) } -> std::same_as<typename S::Value>;
    { S::times(a, a) } -> std::same_as<typename S::Value>;
    { S::lift(score) } -> std::same_as<typename S::Value>;
};

template <class R>
struct Best {
    using Real = R;
    using Value = R;
    static Value zero() { return minus_infinity<R>; }
    static Value one() { return 0; }
    static Value plus(Value a, Value b) { return a < b ? b : a; }
    static Value times(Value a, Value b) { return a + b; }
    static Value lift(Real score) { return score; }
};

// While the object lives, Count works modulo this number on this thread. Kept here, and not in the values or
// in a semiring object, it leaves every chart the same static calls for every semiring.
class CountModulo {
  public:
    static constexpr std::uint64_t limit = std::uint64_t{1} << 62;  // Sum<Count> needs four bits to spare

    explicit CountModulo(std::uint64_t modulus) : outer_(modulus_) {
        if (modulus < 2 || modulus > limit)
            throw Error("the modulus of a count must lie between 2 and 2^62, not " + std::to_string(modulus));
        modulus_ = modulus;
    }
    ~CountModulo() { modulus_ = outer_; }
    CountModulo(const CountModulo&) = delete;
    CountModulo& operator=(const CountModulo&) = delete;

    static std::uint64_t modulus() { return modulus_; }

  private:
    static inline thread_local std::uint64_t modulus_ = (std::uint64_t{1} << 61) - 1;
    std::uint64_t outer_;
};

template <class R>
struct Count {
    using Real = R;
    using Value = std::uint64_t;
    using Product = unsigned __int128;
    static Value zero() { return 0; }
    static Value one() { return 1; }
    static Value plus(Value a, Value b) { return (a + b) % CountModulo::modulus(); }
    static Value times(Value a, Value b) { return static_cast<Value>(Product{a} * b % CountModulo::modulus()); }
    static Value lift(Real score) { return score == minus_infinity<R> ? 0 : 1; }
};

template <Semiring S>
bool is_zero(const typename S::Value& value) {
    if constexpr (requires { value.is_positive(); })
        return !value.is_positive();
    else
        return value == S::zero();
}

// What the chance of an arc is told in: a number, or with dual numbers (dual.hpp) a number and its change.
template <class S>
struct ChanceIn {
    using Type = double;
};

template <Semiring S>
class Sum {
  public:
    using Value = typename S::Value;
    void add(Value term) { total_ = S::plus(total_, term); }
    void add_product(Value a, Value b) { add(S::times(a, b)); }
    Value value() const { return total_; }

  private:
    Value total_ = S::zero();
};

template <class R>
class Sum<Count<R>> {
  public:
    using Value = typename Count<R>::Value;
    void add(Value term) { add_product(term, 1); }
    void add_product(Value a, Value b) {
        total_ += typename Count<R>::Product{a} * b;
        if (total_ >> 127) total_ %= CountModulo::modulus();
    }
    Value value() const { return static_cast<Value>(total_ % CountModulo::modulus()); }

  private:
    typename Count<R>::Product total_ = 0;
};

}  // namespace nonproj
