// Reads damaged CoNLL text under the sanitizers and checks what must hold whatever the bytes are.
//   g++ -std=c++20 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -Icpp
//       tests/native/fuzz_conll.cpp cpp/nonproj/conll/*.cpp cpp/nonproj/learn/corpus.cpp cpp/nonproj/tree/fault.cpp
//       -o fuzz_conll && ./fuzz_conll [rounds] [seed]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nonproj/conll/index.hpp"
#include "nonproj/conll/rewrite.hpp"
#include "nonproj/conll/run.hpp"
#include "nonproj/conll/utf8.hpp"
#include "nonproj/error.hpp"
#include "nonproj/learn/corpus.hpp"
#include "nonproj/tree/fault.hpp"

using namespace nonproj;
using namespace nonproj::conll;

namespace {

void require(bool holds, const char* what, std::string_view text) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\non this text of %zu bytes:\n", what, text.size());
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::abort();
}

const std::string sound =
    "# sent_id = one\n# text = Vámonos al mar \xf0\x9f\x8c\x8a\n1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tVamos\tir\tVERB\t_\tMood=Imp\t0\troot\t0:root\t_\n2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t1:obj\t_\n"
    "2.1\tx\tx\tX\t_\t_\t_\t_\t1:dep\t_\n3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n3\ta\ta\tADP\t_\t_\t5\tcase\t5:"
    "case\t_\n"
    "4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_\n5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl:a\tSpaceAfter=No\n\n\n"
    "1\tΓνῶθι\tγιγνώσκω\tV\tv--------\t_\t0\tPRED\t_\t_\n2\tσεαυτόν\tσεαυτοῦ\tP\tp--------\t_\t1\tOBJ\t_\t_"
    "\n\n"
    "# comments and no words\n";

class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t bound) { return random_() % bound; }

    std::string operator()() {
        std::string text;
        for (std::size_t copies = 1 + below(3); copies > 0; --copies) text += sound;
        if (below(4) == 0) text = with_carriage_returns(text);
        if (below(8) == 0) text.insert(0, "\xef\xbb\xbf");
        for (std::size_t times = below(6); times > 0 && !text.empty(); --times) damage(text);
        return text;
    }

  private:
    static std::string with_carriage_returns(const std::string& text) {
        std::string result;
        for (const char c : text) result += c == '\n' ? std::string("\r\n") : std::string(1, c);
        return result;
    }

    void damage(std::string& text) {
        static constexpr std::string_view telling = "\t\n\r#_-.0123456789 \0\x80\xc3\xe2\xed\xf0\xff=|:";
        const std::size_t at = below(text.size());
        switch (below(6)) {
            case 0:
                text[at] = static_cast<char>(below(256));
                break;
            case 1:
                text[at] = telling[below(telling.size())];
                break;
            case 2:
                text.erase(at, 1 + below(3));
                break;
            case 3:
                text.insert(at, 1, telling[below(telling.size())]);
                break;
            case 4:
                text.resize(at);
                break;
            default:
                text.insert(at, text, below(text.size()), below(200));
        }
    }

    std::mt19937 random_;
};

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
        require(span.begin == end, "the spans join", text);
        require(span.begin <= span.body && span.body <= span.body_end && span.body_end <= span.end, "order", text);
        end = span.end;
    }
    require(end == (spans.empty() ? 0 : text.size()), "the spans cover the text", text);
}

void check_sentences(const Indexer& indexer, std::string_view text) {
    const Index& index = indexer.index();
    require(index.offsets.size() == index.spans.size() + 1, "one offset a sentence", text);
    require(static_cast<std::size_t>(index.offsets.back()) == index.heads.size(), "offsets end", text);
    for (std::size_t i = 0; i < index.spans.size(); ++i) {
        const Span& span = index.spans[i];
        const auto heads = std::span(index.heads).subspan(index.offsets[i], index.offsets[i + 1] - index.offsets[i]);
        require(!heads.empty() && !find_fault(heads), "a tree", text);
        const std::string_view body = text.substr(span.body, span.body_end - span.body);
        require(first_invalid_utf8(body) == body.size(), "UTF-8", text);
        const Run run(indexer, i, i + 1);
        require(cut_column(run, form).offsets.size() == heads.size() + 1, "a form a word", text);
        const std::string again = rewrite({&run, 1}, {heads, {}, {}}).front();
        const Indexer reread = indexed(again, {.start = span.body - span.begin}, again.size() + 1);
        require(reread.index().spans.size() == 1 && std::ranges::equal(reread.index().heads, heads), "again", text);
    }
}

// All sentences at once are what they are one by one, and no others can be asked for.
void check_runs(const Indexer& indexer, std::string_view text) {
    const std::size_t sentences = indexer.index().spans.size();
    const Run all(indexer, 0, sentences);
    std::vector<Run> runs;
    for (std::size_t i = 0; i < sentences; ++i) runs.emplace_back(indexer, i, i + 1);
    const std::vector<std::string> deprels(all.words(), "new");
    std::string one_by_one;
    for (const std::string& part : rewrite(runs, {all.heads(), deprels, {}})) one_by_one += part;
    require(rewrite({&all, 1}, {all.heads(), deprels, {}}).front() == one_by_one, "rewritten one by one", text);
    const learn::Corpus corpus({&all, 1}, {"root"}), parts(runs, {"root"});
    require(corpus.words() == all.words() && parts.offsets() == corpus.offsets() &&
                std::ranges::equal(corpus.offsets(), all.offsets()),
            "a corpus", text);
    for (const auto& [first, last] : {std::pair(sentences, sentences + 1), {1, 0}, {std::size_t(-1), 0}}) {
        try {
            Run(indexer, first, last);
        } catch (const Error&) {
            continue;
        }
        require(false, "no such sentences", text);
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
            require(faults < whole.faults.size() && fault.line == whole.faults[faults].line &&
                        fault.message == whole.faults[faults].message,
                    "the same faults", text);
            ++faults;
        }
        if (indexer.rest() > 0) options.start = 0;
        begin += indexer.rest();
        options.first_line = indexer.rest_line();
        options.first_number = indexer.rest_number();
    }
    require(faults == whole.faults.size() && heads == whole.heads, "the same heads", text);
    for (std::size_t i = 0; i < lines.size(); ++i) require(lines[i] == whole.spans[i].line, "the same lines", text);
}

}  // namespace

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 5000;
    Mutator mutator(count > 2 ? static_cast<unsigned>(std::atoi(arguments[2])) : 1);
    std::size_t sentences = 0, faults = 0;
    for (int round = 0; round < rounds; ++round) {
        const Exact text(mutator());
        const std::size_t start = text.view().starts_with("\xef\xbb\xbf") ? 3 : 0;
        const Indexer indexer = indexed(text.view(), {.start = start, .stop_at_fault = false}, 1 + mutator.below(999));
        check_spans(indexer, text.view());
        check_sentences(indexer, text.view());
        check_runs(indexer, text.view());
        check_blocks(indexer.index(), text.view(), 1 + mutator.below(300), start);
        sentences += indexer.index().spans.size();
        faults += indexer.index().faults.size();
    }
    std::printf("%d texts: %zu sentences read, %zu with a fault\n", rounds, sentences, faults);
    return sentences == 0 || faults == 0;
}
