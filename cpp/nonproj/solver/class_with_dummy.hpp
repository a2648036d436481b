// A class as it is where the dummy root stands on the right or is not there, such as 2-C:right and 1EC:none.
#pragma once
#include <span>
#include <string>

#include "nonproj/classes/attardi_variants.hpp"
#include "nonproj/classes/dummy.hpp"
#include "nonproj/classes/rule.hpp"
#include "nonproj/error.hpp"
#include "nonproj/solver/custom_class.hpp"
#include "nonproj/tree/core.hpp"

namespace nonproj {

class ClassWithDummy final : public CustomClass {
  public:
    ClassWithDummy(std::string name, Family family, int k, Dummy dummy)
        : name_(std::move(name)), family_(family), k_(k), dummy_(dummy) {}

    bool contains(std::span<const int> heads) const override {
        switch (family_) {
            case Family::one_endpoint_crossing:
                return measure(heads, property::one_endpoint_crossing) != 0;
            case Family::crossing_interval:
                return measure(heads, property::crossing_interval) <= k_;
            case Family::multi_headed:
                return measure(heads, property::mh) <= k_;
            case Family::attardi:
                return measure(heads, property::ad) <= k_;
            case Family::drop_distance:
                return measure(heads, property::drop_distance) <= k_;
            case Family::attardi_variant:
                return is_variant(with_last_word_for_dummy(heads));
            default:
                throw Error(name_ + " does not depend on the dummy root");
        }
    }
    // As the classes themselves: the measures never fall when leaves are added.
    bool is_hereditary() const override { return true; }

  private:
    int measure(std::span<const int> heads, property::Name name) const {
        thread_local Profiler profiler;
        const int value = measure_with_dummy(profiler, heads, PropertySet{1} << name, dummy_)[name];
        if (value == undetermined)
            throw Error("a tree of " + std::to_string(heads.size()) +
                        " words is too entangled to tell whether it is in " + name_);
        return value;
    }
    bool is_variant(std::span<const int> heads) const {
        thread_local Core core;
        thread_local attardi_variants::Variant variant;
        core.assign(heads);
        return variant.accepts(core.tree(), k_);
    }

    std::string name_;
    Family family_;
    int k_;
    Dummy dummy_;
};

}  // namespace nonproj
