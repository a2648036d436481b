// The reader on any bytes.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "nonproj/block/block.hpp"
#include "nonproj/conll/index.hpp"
#include "nonproj/conll/rewrite.hpp"
#include "nonproj/conll/run.hpp"
#include "nonproj/conll/utf8.hpp"
#include "nonproj/error.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/tree/fault.hpp"

namespace nonproj::fuzz {

using namespace nonproj::conll;

namespace {

void hold(bool holds, const char* what, std::string_view text) {
    if (!holds) throw Broken(std::string(what) + ", on this text:\n" + std::string(text));
}

// A copy on the heap of exactly its size, so that reading past its end is caught.
struct Exact {
    explicit Exact(std::string_view text) : bytes(new char[text.size()]), size(text.size()) {
        std::copy(text.begin(), text.end(), bytes.get());
    }
    std::string_view view() const { return {bytes.get(), size}; }
    std::unique_ptr<char[]> bytes;
    std::size_t size;
};

Indexer indexed(std::string_view text, Options options, std::size_t stride) {
    Indexer indexer(text, options);
    while (indexer.advance(stride)) {
    }
    return indexer;
}

void check_spans(const Indexer& indexer, std::string_view text) {
    std::vector<Span> spans = indexer.index().spans;
    for (const Fault& fault : indexer.index().faults) spans.push_back(fault.span);
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::size_t end = 0;
    for (const Span& span : spans) {
        hold(span.begin == end, "the spans join", text);
        hold(span.begin <= span.body && span.body <= span.body_end && span.body_end <= span.end, "order", text);
        end = span.end;
    }
    hold(end == (spans.empty() ? 0 : text.size()), "the spans cover the text", text);
}

void check_sentences(const Indexer& indexer, std::string_view text) {
    const Index& index = indexer.index();
    hold(index.offsets.size() == index.spans.size() + 1, "one offset a sentence", text);
    hold(static_cast<std::size_t>(index.offsets.back()) == index.heads.size(), "offsets end", text);
    for (std::size_t i = 0; i < index.spans.size(); ++i) {
        const Span& span = index.spans[i];
        const auto heads = std::span(index.heads).subspan(index.offsets[i], index.offsets[i + 1] - index.offsets[i]);
        hold(!heads.empty() && !find_fault(heads), "a tree", text);
        const std::string_view body = text.substr(span.body, span.body_end - span.body);
        hold(first_invalid_utf8(body) == body.size(), "UTF-8", text);
        const Run run(indexer, i, i + 1);
        hold(cut_column(run, form).offsets.size() == heads.size() + 1, "a form a word", text);
        const std::string again = rewrite({&run, 1}, {heads, {}, {}}).front();
        const Indexer reread = indexed(again, {.start = span.body - span.begin}, again.size() + 1);
        hold(reread.index().spans.size() == 1 && std::ranges::equal(reread.index().heads, heads), "again", text);
    }
}

// A block is written as it was read, also by halves, and with the same cells filled in.
void check_block(const block::Block& block, const Run& run, std::string_view text) {
    const auto written = [](const block::Block& part) {
        std::string whole;
        for (const std::string& each : part.written()) whole += each;
        return whole;
    };
    const std::string whole = written(block);
    const auto spans = run.sentences();
    const std::string_view read =
        spans.empty() ? "" : text.substr(spans.front().begin, spans.back().end - spans.front().begin);
    hold(whole == read, "a block", text);
    const std::size_t half = block.size() / 2;
    hold(written(block.part(0, half)) + written(block.part(half, block.size())) == whole, "halves of a block", text);
    for (const std::string_view name : {"lemma", "upos", "xpos", "feats", "deprel"}) {
        block::Column& column = block.column(name);
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < block.words(); ++i) cells.emplace_back(column[i]);
        block.fill(column, cells);
    }
    hold(written(block) == whole, "a block with its own cells", text);
}

// All sentences at once are what they are one by one, and no others can be asked for.
void check_runs(const Indexer& indexer, std::string_view text, bool has_others) {
    const std::size_t sentences = indexer.index().spans.size();
    const Run all(indexer, 0, sentences);
    std::vector<Run> runs;
    for (std::size_t i = 0; i < sentences; ++i) runs.emplace_back(indexer, i, i + 1);
    const std::vector<std::string> deprels(all.words(), "new");
    std::string one_by_one;
    for (const std::string& part : rewrite(runs, {all.heads(), deprels, {}})) one_by_one += part;
    hold(rewrite({&all, 1}, {all.heads(), deprels, {}}).front() == one_by_one, "rewritten one by one", text);
    const block::Block block = block::Block::of_rows({all}), of_parts = block::Block::of_rows(runs);
    const learn::Corpus corpus(block, {"root"}), parts(of_parts, {"root"});
    hold(corpus.words() == all.words() && parts.offsets() == corpus.offsets() &&
             std::ranges::equal(corpus.offsets(), all.offsets()),
         "a corpus", text);
    check_block(block, all, text);
    if (!has_others) return;  // to refuse takes longer than to read
    for (const auto& [first, last] : {std::pair(sentences, sentences + 1), {1, 0}, {std::size_t(-1), 0}}) {
        try {
            Run(indexer, first, last);
        } catch (const Error&) {
            continue;
        }
        hold(false, "no such sentences", text);
    }
}

// Reading block by block gives the same sentences and faults as reading at once.
void check_blocks(const Index& whole, std::string_view text, std::size_t block, std::size_t start) {
    std::vector<std::int32_t> heads;
    std::vector<std::int64_t> lines;
    std::size_t begin = 0, faults = 0;
    Options options{.start = start, .is_whole = false, .stop_at_fault = false};
    for (std::size_t end = 0; !options.is_whole;) {
        end = std::min(end + block, text.size());
        options.is_whole = end == text.size();
        const Exact part(text.substr(begin, end - begin));
        const Indexer indexer = indexed(part.view(), options, 7);
        heads.insert(heads.end(), indexer.index().heads.begin(), indexer.index().heads.end());
        for (const Span& span : indexer.index().spans) lines.push_back(span.line);
        for (const Fault& fault : indexer.index().faults) {
            hold(faults < whole.faults.size() && fault.line == whole.faults[faults].line &&
                     fault.message == whole.faults[faults].message,
                 "the same faults", text);
            ++faults;
        }
        if (indexer.rest() > 0) options.start = 0;
        begin += indexer.rest();
        options.first_line = indexer.rest_line();
        options.first_number = indexer.rest_number();
    }
    hold(faults == whole.faults.size() && heads == whole.heads, "the same heads", text);
    for (std::size_t i = 0; i < lines.size(); ++i) hold(lines[i] == whole.spans[i].line, "the same lines", text);
}

}  // namespace

void reader(Bytes bytes) {
    Choices choices(bytes);
    const std::size_t block = 1 + choices.byte(), stride = 1 + 4 * choices.byte();
    const Bytes rest = choices.rest();
    const Exact text({reinterpret_cast<const char*>(rest.data()), rest.size()});
    const std::size_t start = text.view().starts_with("\xef\xbb\xbf") ? 3 : 0;
    const Indexer indexer = indexed(text.view(), {.start = start, .stop_at_fault = false}, stride);
    check_spans(indexer, text.view());
    check_sentences(indexer, text.view());
    check_runs(indexer, text.view(), stride % 32 == 1);
    check_blocks(indexer.index(), text.view(), block, start);
    for (const bool ignores : {false, true}) {
        const Indexer open = indexed(
            text.view(), {.start = start, .stop_at_fault = true, .allow_open = true, .ignore_heads = ignores}, stride);
        hold(open.index().faults.size() <= 1, "it stops at a fault", text.view());
    }
}

}  // namespace nonproj::fuzz
