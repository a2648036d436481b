// Raw text to tokens, tags and lemmas, by a model of a small treebank that is made once: CoNLL-U that can be read, from
// which the text can be had again.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "nonproj/block/block.hpp"
#include "nonproj/conll/index.hpp"
#include "nonproj/conll/run.hpp"
#include "nonproj/conll/words.hpp"
#include "nonproj/text/tag_model.hpp"
#include "nonproj/text/tokenizer.hpp"

namespace nonproj::fuzz {

using namespace nonproj::text;

namespace {

constexpr std::string_view treebank =
    "# newpar\n1-2\tZum\t_\t_\t_\t_\t_\t_\t_\t_\n1\tZu\tzu\tADP\tAPPR\t_\t3\tcase\t_\t_\n"
    "2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t_\t_\n3\tHaus\tHaus\tNOUN\tNN\tCase=Dat|Number=Sing\t4\tobl\t_\t_\n"
    "4\tgeht\tgehen\tVERB\tVVFIN\tNumber=Sing\t0\troot\t_\t_\n5\ter\ter\tPRON\tPPER\t_\t4\tnsubj\t_\tSpaceAfter=No\n"
    "6\t.\t.\tPUNCT\t$.\t_\t4\tpunct\t_\t_\n\n"
    "1\tÄrger\tÄrger\tNOUN\tNN\t_\t2\tnsubj\t_\t_\n2\tgab\tgeben\tVERB\tVVFIN\t_\t0\troot\t_\tSpaceAfter=No\n"
    "3\t,\t,\tPUNCT\t$,\t_\t2\tpunct\t_\t_\n4\t1.5\t1.5\tNUM\tCARD\tA|B=C\t2\tobj\t_\tSpaceAfter=No\n"
    "5\t!\t!\tPUNCT\t$.\t_\t2\tpunct\t_\t_\n\n";

conll::Indexer indexed(std::string_view text) {
    conll::Indexer indexer(text, {.stop_at_fault = false, .allow_open = true});
    while (indexer.advance(text.size() + 1)) {
    }
    return indexer;
}

struct Models {
    conll::Indexer indexer = indexed(treebank);
    std::vector<conll::Run> runs{conll::Run(indexer, 0, indexer.index().spans.size())};
    TokenModel tokens = trained_tokens();
    TagModel tags = trained_tags();

    TokenModel trained_tokens() const {
        TokenTrainer trainer(runs, 12);
        for (int epoch = 0; epoch < 3; ++epoch) trainer.learn();
        learn::BoundaryTrainer ends = trainer.end_trainer(1);
        for (int epoch = 0; epoch < 100; ++epoch) ends.learn(ends.examples().draw_windows(), 4e-3F);
        trainer.set_end_network(ends);
        return trainer.model(0, 0.4F);
    }
    TagModel trained_tags() const {
        TagTrainer trainer(block::Block::of_rows(runs), 12, Filled());
        std::vector<std::int64_t> order(trainer.sentences());
        std::iota(order.begin(), order.end(), 0);
        for (int epoch = 0; epoch < 3; ++epoch) trainer.learn(order, epoch), trainer.learn_lemmas(epoch);
        return trainer.model();
    }
};

// What MISC says of the spaces before or after a token.
std::string spaces(std::string_view misc, std::string_view name) {
    const std::size_t at = misc.find(name);
    if (at == std::string_view::npos) return "";
    const std::string_view written = misc.substr(at + name.size(), misc.find('|', at) - at - name.size());
    std::string made;
    for (std::size_t i = 0; i < written.size(); ++i) {
        const std::size_t kind = written[i] == '\\' ? std::string_view("stnr").find(written[++i]) : std::string::npos;
        made += kind == std::string::npos ? written[i] : " \t\n\r"[kind];
    }
    return made;
}

// The text again, of the tokens and the spaces that they tell of.
std::string restored(std::string_view conllu, const conll::Index& index) {
    std::string text;
    for (const conll::Span& span : index.spans) {
        std::int64_t covered = 0, number = 0;
        conll::each_line(conllu, span, [&](const conll::Line& line) {
            if (conllu[line.begin] == '#') return;
            const std::string_view id = conll::cell_of(conllu, line, conll::id);
            const std::size_t dash = id.find('-');
            if (dash == std::string_view::npos && ++number <= covered) return;
            if (dash != std::string_view::npos)
                covered = conll::number_at(conllu, line.begin + dash + 1, line.column_end(conll::id)).value;
            const std::string_view misc = conll::cell_of(conllu, line, conll::misc);
            text += spaces(misc, "SpacesBefore=");
            text += conll::cell_of(conllu, line, conll::form);
            if (misc.find("SpacesAfter=") != std::string_view::npos)
                text += spaces(misc, "SpacesAfter=");
            else if (misc.find("SpaceAfter=No") == std::string_view::npos)
                text += ' ';
        });
    }
    return text;
}

std::string joined(const std::vector<std::string>& parts) {
    return std::accumulate(parts.begin(), parts.end(), std::string());
}

// Bytes as text: NUL and what is no UTF-8 never come this far, so every byte above ASCII stands for a character of its own.
std::string written(Bytes bytes) {
    static constexpr Letter others[] = {0xc4, 0xdf, 0x130,  0x1c5,  0x300,   0x5d0,
                                        0xa0, 0x85, 0x2028, 0x3000, 0x1f600, 0xfeff};
    std::string text;
    for (const std::uint8_t byte : bytes)
        append(text, byte > 0 && byte < 128 ? byte : others[byte % std::size(others)]);
    return text;
}

}  // namespace

void tokens(Bytes bytes) {
    static const Models models;
    Choices choices(bytes);
    const std::size_t longest = 1 + choices.below(40);
    const bool is_last = choices.below(4) != 0;
    const int columns = choices.byte();
    const std::string text = written(choices.rest());
    Tokenizing tokenizing(models.tokens);
    std::int64_t sentences = 0;
    std::string whole, parted;
    const auto add = [&](const Cut& cut, std::string& conllu) {
        sentences += static_cast<std::int64_t>(cut.block.size());
        conllu += cut.block.written().front();
    };
    // What is known of the beginnings of a text is the same as what comes of all of it.
    for (std::size_t end = 0; (end = text.find(' ', end)) != std::string::npos; end += 1 + text.size() / 16)
        add(tokenizing.cut(std::string_view(text).substr(0, end + 1), Stretch::beginning, longest), parted);
    const Stretch stretch = is_last ? Stretch::last : Stretch::middle;
    add(tokenizing.cut(text, stretch, longest), parted);
    tokenizing.begin_text();
    sentences = 0;
    const Cut cut = tokenizing.cut(text, stretch, longest);
    add(cut, whole);
    require(whole == parted, [&] { return "other sentences when it comes in parts: " + text; });
    require(cut.consumed <= text.size(), "more text than there is");
    if (is_last && sentences > 0) require(cut.consumed == text.size(), [&] { return "text is left: " + text; });
    const conll::Indexer indexer = indexed(whole);
    const conll::Index& index = indexer.index();
    require(index.faults.empty(), [&] { return "not read: " + whole; });
    require(static_cast<std::int64_t>(index.spans.size()) == sentences, [&] { return "sentences: " + whole; });
    require(restored(whole, index) == text.substr(0, cut.consumed), [&] { return "another text: " + whole; });
    const conll::Run run(indexer, 0, index.spans.size());
    const block::Block read = block::Block::of_rows({run});
    require(joined(read.written()) == whole, [&] { return "not the same rows: " + whole; });
    const Filled filled{(columns & 1) != 0, (columns & 2) != 0, (columns & 4) != 0, (columns & 8) != 0};
    Tagging(models.tags).run(read, filled, 1);
    Tagging(models.tags).run(cut.block, filled, 1);
    const std::string tagged = joined(read.written());
    require(cut.block.written().front() == tagged, [&] { return "other tags in a text: " + tagged; });
    const conll::Indexer tagged_indexer = indexed(tagged);
    require(tagged_indexer.index().faults.empty() && tagged_indexer.index().heads == index.heads,
            [&] { return "not read with tags: " + tagged; });
    const conll::Run tagged_run(tagged_indexer, 0, tagged_indexer.index().spans.size());
    require(cut_column(tagged_run, conll::form).bytes == cut_column(run, conll::form).bytes,
            [&] { return "forms: " + tagged; });
}

}  // namespace nonproj::fuzz
