// Tags: UPOS, XPOS and FEATS of a word together, and the parts that they share with other tags.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nonproj/error.hpp"
#include "nonproj/learn/hash.hpp"

namespace nonproj::text {

struct Tag {
    std::string upos, xpos, feats;
    std::vector<std::uint32_t> parts;  // the tag as a whole first
    learn::Hash whole, upos_hash;
    std::vector<std::pair<learn::Hash, learn::Hash>> values;  // an attribute of FEATS and its value
};

struct Part {
    learn::Hash seed;
    learn::Hash attribute;  // 0 for what is no attribute of FEATS
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
    }

    std::size_t size() const { return tags_.size(); }
    const Tag& operator[](std::size_t tag) const { return tags_[tag]; }
    const Part& part(std::uint32_t part) const { return parts_[part]; }
    std::size_t parts() const { return parts_.size(); }
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
        tag.parts.push_back(part_of(tag.whole, 0));
        tag.parts.push_back(part_of(tag.upos_hash, 0));
        add_xpos(tag);
        if (feats != "_")
            each_piece(feats, [&](std::string_view piece) {
                const learn::Hash attribute = learn::hash_of(piece.substr(0, piece.find('=')), 33);
                const learn::Hash value = learn::hash_of(piece, 34);
                tag.parts.push_back(part_of(value, attribute));
                tag.values.emplace_back(attribute, value);
            });
        tags_.push_back(std::move(tag));
        return found->second;
    }

  private:
    void add_xpos(Tag& tag) {
        if (tag.xpos == "_") return;
        tag.parts.push_back(part_of(learn::hash_of(tag.xpos, 35), 0));
        if (tag.xpos.find('|') == std::string::npos) return;
        each_piece(tag.xpos, [&](std::string_view piece) {
            const std::uint32_t part = part_of(learn::hash_of(piece, 36), 0);
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
    std::uint32_t part_of(learn::Hash seed, learn::Hash attribute) {
        const auto [found, is_new] = part_numbers_.emplace(seed, static_cast<std::uint32_t>(parts_.size()));
        if (is_new) parts_.push_back({seed, attribute});
        return found->second;
    }

    std::vector<Tag> tags_;
    std::vector<Part> parts_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::unordered_map<learn::Hash, std::uint32_t> part_numbers_;
};

}  // namespace nonproj::text
