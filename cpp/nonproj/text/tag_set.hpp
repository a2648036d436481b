// Tags: UPOS, XPOS and FEATS of a word together, and the parts that they share with other tags.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/learn/hash.hpp"

namespace nonproj::text {

// Of a line of weights: of 16 bits, they are one line of the processor's cache.
inline constexpr int tag_slots = 32;

struct Tag {
    std::string upos, xpos, feats;
    std::vector<std::uint32_t> parts;  // the tag as a whole first
    learn::Hash whole, upos_hash;
    std::vector<std::pair<learn::Hash, learn::Hash>> values;  // an attribute of FEATS and its value
};

// Parts that are alternatives to each other, such as the values of an attribute: at most as many as a line of weights has
// slots, next to each other in one line. Small groups share a line, so that few lines tell all of a tag; but tags as a
// whole have lines of their own.
struct PartGroup {
    learn::Hash kind;       // what its parts are alternatives of
    learn::Hash attribute;  // 0 for what is no attribute of FEATS
    bool is_whole;
    int size = 0;
    std::uint32_t line = 0;
    int first_slot = 0;
};

class TagSet {
  public:
    TagSet() = default;
    // Each as "UPOS\tXPOS\tFEATS".
    explicit TagSet(const std::vector<std::string>& tags) {
        for (const std::string& tag : tags) {
            const std::size_t first = tag.find('\t'), second = tag.find('\t', first + 1);
            if (second == std::string::npos || tag.find('\t', second + 1) != std::string::npos ||
                tag.find('\n') != std::string::npos || tag.find('\0') != std::string::npos)
                throw Error("a tag of the model is damaged");
            const std::string_view text = tag;
            if (add(text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1)) + 1 !=
                tags_.size())
                throw Error("a tag of the model is there twice");
        }
        arrange();
    }

    std::size_t size() const { return tags_.size(); }
    const Tag& operator[](std::size_t tag) const { return tags_[tag]; }
    const PartGroup& group(std::uint32_t group) const { return groups_[group]; }
    std::size_t groups() const { return groups_.size(); }
    std::uint32_t group_of(std::uint32_t part) const { return parts_[part].group; }
    // Which of all slots a part has: its line is this over the slots of a line.
    std::uint32_t place(std::uint32_t part) const {
        const PartGroup& group = groups_[parts_[part].group];
        return group.line * tag_slots + static_cast<std::uint32_t>(group.first_slot + parts_[part].index);
    }
    std::size_t lines() const { return lines_.size(); }
    // Whether the line has tags as a whole.
    bool is_whole(std::uint32_t line) const { return lines_[line].is_whole; }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const Tag& tag : tags_) names.push_back(tag.upos + "\t" + tag.xpos + "\t" + tag.feats);
        return names;
    }

    std::uint32_t add(std::string_view upos, std::string_view xpos, std::string_view feats) {
        std::string name = std::string(upos) + "\t" + std::string(xpos) + "\t" + std::string(feats);
        const auto [found, is_new] = numbers_.emplace(std::move(name), static_cast<std::uint32_t>(tags_.size()));
        if (!is_new) return found->second;
        Tag tag{std::string(upos), std::string(xpos), std::string(feats), {}, {}, {}, {}};
        tag.whole = learn::hash_of(found->first, 31);
        tag.upos_hash = learn::hash_of(upos, 32);
        tag.parts.push_back(part_of(tag.whole, whole_kind, 0));
        tag.parts.push_back(part_of(tag.upos_hash, 38, 0));
        add_xpos(tag);
        if (feats != "_")
            each_piece(feats, [&](std::string_view piece) {
                const learn::Hash attribute = learn::hash_of(piece.substr(0, piece.find('=')), 33);
                const learn::Hash value = learn::hash_of(piece, 34);
                tag.parts.push_back(part_of(value, learn::combined(39, attribute), attribute));
                tag.values.emplace_back(attribute, value);
            });
        tags_.push_back(std::move(tag));
        return found->second;
    }

    // Puts parts into groups and gives every group its slots, when all tags are there. A group goes into the first line
    // that has room for it. Tags as a whole lie in the order in which they are numbered.
    void arrange() {
        std::vector<std::uint32_t> order(parts_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t part) { return parts_[part].kind; });
        groups_.clear();
        for (const std::uint32_t number : order) {
            Part& part = parts_[number];
            if (groups_.empty() || groups_.back().kind != kinds_[part.kind].name || groups_.back().size == tag_slots)
                groups_.push_back(
                    {kinds_[part.kind].name, kinds_[part.kind].attribute, kinds_[part.kind].name == whole_kind});
            part.group = static_cast<std::uint32_t>(groups_.size() - 1);
            part.index = groups_.back().size++;
        }
        lines_.clear();
        std::ptrdiff_t full = 0;  // so many lines from the first on have no room for anything
        for (PartGroup& group : groups_) {
            while (full < std::ssize(lines_) && lines_[full].used == tag_slots) ++full;
            const auto has_room = [&](const Line& line) {
                return line.is_whole == group.is_whole && line.used + group.size <= tag_slots;
            };
            auto line = std::find_if(lines_.begin() + full, lines_.end(), has_room);
            if (line == lines_.end()) line = lines_.insert(line, {0, group.is_whole});
            group.line = static_cast<std::uint32_t>(line - lines_.begin());
            group.first_slot = std::exchange(line->used, line->used + group.size);
        }
    }

  private:
    static constexpr learn::Hash whole_kind = 37;
    struct Line {
        int used;  // of its slots
        bool is_whole;
    };
    struct Kind {
        learn::Hash name, attribute;
    };
    struct Part {
        std::uint32_t kind;
        std::uint32_t group = 0;
        int index = 0;  // in its group
    };

    void add_xpos(Tag& tag) {
        if (tag.xpos == "_") return;
        tag.parts.push_back(part_of(learn::hash_of(tag.xpos, 35), 40, 0));
        if (tag.xpos.find('|') == std::string::npos) return;
        each_piece(tag.xpos, [&](std::string_view piece) {
            const std::uint32_t part = part_of(learn::hash_of(piece, 36), 41, 0);
            if (std::ranges::find(tag.parts, part) == tag.parts.end()) tag.parts.push_back(part);
        });
    }
    template <class Take>
    static void each_piece(std::string_view text, Take take) {
        for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
            end = std::min(text.find('|', begin), text.size());
            take(text.substr(begin, end - begin));
        }
    }
    // `kind` says what it is an alternative to.
    std::uint32_t part_of(learn::Hash name, learn::Hash kind, learn::Hash attribute) {
        const auto [found, is_new] = part_numbers_.emplace(name, static_cast<std::uint32_t>(parts_.size()));
        if (!is_new) return found->second;
        const auto [number, is_first] = kind_numbers_.emplace(kind, static_cast<std::uint32_t>(kinds_.size()));
        if (is_first) kinds_.push_back({kind, attribute});
        parts_.push_back({number->second});
        return found->second;
    }

    std::vector<Tag> tags_;
    std::vector<Part> parts_;
    std::vector<PartGroup> groups_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<Kind> kinds_;
    std::unordered_map<learn::Hash, std::uint32_t> part_numbers_, kind_numbers_;
    std::vector<Line> lines_;
};

}  // namespace nonproj::text
