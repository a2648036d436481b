// Strings, each kept once and named by a number: what a cell of a block is.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "nonproj/learn/hash.hpp"

namespace nonproj::block {

using Id = std::uint32_t;

// Number 0 is "_", the empty cell. What a number names stays where it is as long as the strings live.
class Strings {
  public:
    static constexpr Id nothing = 0;

    Strings() : slots_(least_slots, empty) { add("_"); }
    Strings(Strings&&) = default;
    Strings& operator=(Strings&&) = default;

    std::size_t size() const { return values_.size(); }
    std::string_view operator[](Id id) const { return values_[id]; }

    Id add(std::string_view text) {
        const auto hash = static_cast<std::uint32_t>(learn::hash_of(text));
        std::size_t at = hash & (slots_.size() - 1);
        for (; slots_[at].id != empty.id; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].hash == hash && values_[slots_[at].id] == text) return slots_[at].id;
        const Id id = static_cast<Id>(values_.size());
        slots_[at] = {hash, id};
        values_.push_back(kept(text));
        if (values_.size() * 2 > slots_.size()) grow();
        return id;
    }

  private:
    struct Slot {
        std::uint32_t hash;
        Id id;
    };
    static constexpr Slot empty{0, ~Id{0}};
    static constexpr std::size_t least_slots = 64, chunk = 1 << 12;

    std::string_view kept(std::string_view text) {
        if (text.size() > left_) {
            left_ = std::max(chunk, text.size());
            chunks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
            free_ = chunks_.back().get();
        }
        if (!text.empty()) std::memcpy(free_, text.data(), text.size());
        const std::string_view copy(free_, text.size());
        free_ += text.size();
        left_ -= text.size();
        return copy;
    }

    void grow() {
        std::vector<Slot> wider(slots_.size() * 4, empty);
        for (const Slot& slot : slots_) {
            if (slot.id == empty.id) continue;
            std::size_t at = slot.hash & (wider.size() - 1);
            while (wider[at].id != empty.id) at = (at + 1) & (wider.size() - 1);
            wider[at] = slot;
        }
        slots_ = std::move(wider);
    }

    std::vector<std::string_view> values_;
    std::vector<Slot> slots_;
    std::vector<std::unique_ptr<char[]>> chunks_;
    char* free_ = nullptr;
    std::size_t left_ = 0;
};

}  // namespace nonproj::block
