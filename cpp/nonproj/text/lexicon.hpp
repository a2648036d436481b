// Which numbers, such as those of tags, a key was seen with, and how often: most often first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/learn/hash.hpp"

namespace nonproj::text {

struct Seen {
    std::uint32_t number, count;
};

// Counts while it is filled; afterwards `Lexicon` is made of it.
class LexiconCounts {
  public:
    void add(learn::Hash key, std::uint32_t number) {
        std::vector<Seen>& seen = counts_[key];
        const auto found = std::ranges::find(seen, number, &Seen::number);
        if (found == seen.end())
            seen.push_back({number, 1});
        else
            ++found->count;
    }
    const std::unordered_map<learn::Hash, std::vector<Seen>>& all() const { return counts_; }

  private:
    std::unordered_map<learn::Hash, std::vector<Seen>> counts_;
};

class Lexicon {
  public:
    Lexicon() { index(); }
    // At most `most` numbers a key, and only keys that were seen `least` times.
    explicit Lexicon(const LexiconCounts& counts, std::size_t most = 64, std::uint32_t least = 1) {
        std::vector<std::pair<learn::Hash, std::vector<Seen>>> sorted(counts.all().begin(), counts.all().end());
        std::ranges::sort(sorted, {}, &std::pair<learn::Hash, std::vector<Seen>>::first);
        for (auto& [key, seen] : sorted) {
            std::uint32_t total = 0;
            for (const Seen& each : seen) total += each.count;
            if (total < least) continue;
            std::ranges::sort(seen, [](const Seen& a, const Seen& b) {
                return a.count != b.count ? a.count > b.count : a.number < b.number;
            });
            keys_.push_back(key);
            for (std::size_t i = 0; i < std::min(seen.size(), most); ++i) entries_.push_back(packed(seen[i]));
            ends_.push_back(entries_.size());
        }
        index();
    }
    // As it was written; an error where it is damaged.
    Lexicon(std::vector<std::uint64_t> keys, std::vector<std::uint64_t> ends, std::vector<std::uint64_t> entries,
            std::size_t numbers)
        : keys_(std::move(keys)), ends_(std::move(ends)), entries_(std::move(entries)) {
        const bool is_sound = keys_.size() == ends_.size() && std::ranges::is_sorted(ends_) &&
                              (ends_.empty() ? entries_.empty() : ends_.back() == entries_.size()) &&
                              keys_.size() < (std::size_t{1} << 31) &&
                              std::ranges::all_of(entries_, [&](auto entry) { return (entry & 0xffffffff) < numbers; });
        if (!is_sound) throw Error("a lexicon of the model is damaged");
        index();
    }

    std::span<const std::uint64_t> keys() const { return keys_; }
    std::span<const std::uint64_t> ends() const { return ends_; }
    std::span<const std::uint64_t> entries() const { return entries_; }

    static Seen unpacked(std::uint64_t entry) {
        return {static_cast<std::uint32_t>(entry), static_cast<std::uint32_t>(entry >> 32)};
    }
    // Entries of a key, to be unpacked; none when it was never seen.
    std::span<const std::uint64_t> find(learn::Hash key) const {
        const auto hash = static_cast<std::uint32_t>(learn::mixed(key));
        for (std::uint32_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
            if (slots_[slot] == 0) return {};
            if (((slots_[slot] ^ hash) & ~mask_) != 0) continue;
            const std::uint32_t at = slots_[slot] & mask_;
            if (keys_[at - 1] == key) {
                const std::size_t begin = at == 1 ? 0 : ends_[at - 2];
                return std::span(entries_).subspan(begin, ends_[at - 1] - begin);
            }
        }
    }

  private:
    static std::uint64_t packed(const Seen& seen) { return seen.number | std::uint64_t{seen.count} << 32; }
    void index() {
        std::size_t size = 16;
        while (size < 2 * keys_.size() + 2) size *= 2;
        mask_ = static_cast<std::uint32_t>(size - 1);
        slots_.assign(size, 0);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            const auto hash = static_cast<std::uint32_t>(learn::mixed(keys_[i]));
            std::uint32_t slot = hash & mask_;
            while (slots_[slot] != 0) slot = (slot + 1) & mask_;
            slots_[slot] = static_cast<std::uint32_t>(i + 1) | (hash & ~mask_);
        }
    }

    std::vector<std::uint64_t> keys_, ends_, entries_;
    // 1 + the place of a key, 0 for none; the bits above those of the mask are the hash's, which tell most other keys apart.
    std::vector<std::uint32_t> slots_;
    std::uint32_t mask_ = 0;
};

}  // namespace nonproj::text
