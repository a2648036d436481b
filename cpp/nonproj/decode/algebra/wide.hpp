// Wide: a number >= 0 with the precision of a double and an exponent of 62 bits, for sums of products whose
// terms differ by more than a double can hold. It has just what an elimination without subtraction needs: +,
// *, / and <. Without branches: the exponents to compare are as good as random, and a wrong guess costs more
// than the sum.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace nonproj {

class Wide {
  public:
    Wide() = default;
    explicit Wide(double value) : Wide(value > 0 ? normalised(value, 0) : Wide()) {}
    static Wide power_of_two(std::int64_t exponent) { return normalised(1.0, exponent); }
    // e^x, to the last bits also for a large x: the multiple of log 2 is taken off with its rounding error.
    static Wide exp(double x) {
        constexpr double ln2_error = 2.3190468138462996e-17;
        const double twos = std::nearbyint(x / std::numbers::ln2);
        const double rest = std::fma(-twos, std::numbers::ln2, x) - twos * ln2_error;
        // What no exponent holds, and what is no number, is as good as 0; in this order, in which std::max leaves NaN out.
        constexpr auto furthest = static_cast<double>(-zero_exponent);
        return normalised(std::exp(rest), static_cast<std::int64_t>(std::min(furthest, std::max(-furthest, twos))));
    }

    bool is_positive() const { return exponent_ > zero_exponent / 2; }
    std::int64_t exponent() const { return exponent_; }
    double log() const { return std::log(mantissa_) + static_cast<double>(exponent_) * std::numbers::ln2; }
    double to_double() const {
        return std::ldexp(mantissa_, static_cast<int>(std::clamp<std::int64_t>(exponent_, -1100, 1100)));
    }

    friend Wide operator*(Wide a, Wide b) { return normalised(a.mantissa_ * b.mantissa_, a.exponent_ + b.exponent_); }
    friend Wide operator/(Wide a, Wide b) { return normalised(a.mantissa_ / b.mantissa_, a.exponent_ - b.exponent_); }
    friend Wide operator+(Wide a, Wide b) {
        const std::int64_t lead = a.exponent_ - b.exponent_;
        const std::int64_t ahead = lead & ~(lead >> 63),
                           behind = ahead - lead;  // max(lead, 0), max(-lead, 0)
        return normalised(a.mantissa_ * two_to_minus(behind) + b.mantissa_ * two_to_minus(ahead), a.exponent_ + behind);
    }
    Wide& operator+=(Wide other) { return *this = *this + other; }
    friend bool operator<(Wide a, Wide b) {
        return a.exponent_ != b.exponent_ ? a.exponent_ < b.exponent_ : a.mantissa_ < b.mantissa_;
    }

    // The sum of a[k] * b[k], relative to the largest of them, so that no term waits for the one before.
    static Wide inner_product(const Wide* a, const Wide* b, int count) {
        const std::int64_t lead = leading_exponent(a, b, count);
        double sum = 0;
        for (int k = 0; k < count; ++k) sum += scaled_product(a[k], b[k], lead);
        return normalised(sum, lead);
    }
    static std::int64_t leading_exponent(const Wide* a, const Wide* b, int count) {
        std::int64_t lead = 2 * zero_exponent;
        for (int k = 0; k < count; ++k) lead = std::max(lead, a[k].exponent_ + b[k].exponent_);
        return lead;
    }
    // a * b / 2^lead, where a * b is below 2^(lead + 2).
    static double scaled_product(const Wide& a, const Wide& b, std::int64_t lead) {
        return a.mantissa_ * b.mantissa_ * two_to_minus(lead - a.exponent_ - b.exponent_);
    }

  private:
    // Zero is a power of two so low that no product of numbers comes near it.
    static constexpr std::int64_t zero_exponent = -(std::int64_t{1} << 61);
    static constexpr int mantissa_bits = 52;
    static constexpr std::int64_t bias = 1023;

    // Brings the mantissa, a normal double, into [1, 2).
    static Wide normalised(double mantissa, std::int64_t exponent) {
        const auto bits = std::bit_cast<std::int64_t>(mantissa);
        const std::int64_t excess = (bits >> mantissa_bits) - bias;
        Wide number;
        number.mantissa_ = std::bit_cast<double>(bits - (excess << mantissa_bits));
        number.exponent_ = std::max(exponent + excess, zero_exponent);
        return number;
    }
    // Below 2^-1022 the smaller term is lost in rounding anyhow.
    static double two_to_minus(std::int64_t shift) {
        return std::bit_cast<double>((bias - std::min<std::int64_t>(shift, bias - 1)) << mantissa_bits);
    }

    double mantissa_ = 1;
    std::int64_t exponent_ = zero_exponent;
};

}  // namespace nonproj
