"""One sentence of a treebank: a view of its text, cut into strings when asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy.typing as npt

from nonproj.errors import NonprojError
from nonproj.treebank.document import Document, Place, sent_id_in
from nonproj.treebank.formats import Format
from nonproj.treebank.rewriting import rewritten
from nonproj.treebank.rows import COLUMNS

if TYPE_CHECKING:
    from nonproj.trees import Tree

_TEXT = re.compile(r"#[ \t]*text[ \t]*=[ \t]*(.*)")


class Word(NamedTuple):
    """A word of a sentence with its ten columns: two whole numbers, and strings as they are written.

    ``id`` runs from 1; ``head`` is the id of another word, 0 for the root, or -1 where it is yet unknown.
    """

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str
    deps: str
    misc: str


class MultiwordToken(NamedTuple):
    """A token of the text that is several words, such as *del* for *de* and *el*: words ``first`` to ``last``."""

    first: int
    last: int
    form: str
    misc: str


class EmptyNode(NamedTuple):
    """A node of the enhanced graph that is no word: it stands after the word ``after``, or before all of them (0)."""

    after: int
    nth: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    deps: str
    misc: str

    @property
    def id(self) -> str:
        """How enhanced dependencies name it, such as ``5.1``."""
        return f"{self.after}.{self.nth}"


class Sentence:
    """A sentence with its words, read from a treebank.

    Iterate over it for its words, each a `Word`. The lists have one string a word; multiword tokens and empty nodes
    are no words, and have lists of their own.
    In a CoNLL-X sentence `upos` is CPOSTAG, `xpos` POSTAG, `deps` PHEAD and `misc` PDEPREL.

    >>> sentence = Sentence.parse("1\\tDogs\\tdog\\tNOUN\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n"
    ...                           "2\\tbark\\tbark\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n")
    >>> sentence.forms, sentence.heads
    (['Dogs', 'bark'], (2, 0))
    >>> [(word.id, word.form, word.head) for word in sentence]
    [(1, 'Dogs', 2), (2, 'bark', 0)]
    >>> sentence.with_heads([0, 1], ["root", "dep"], ["score = 1"]).comments
    ['# score = 1']
    """

    __slots__ = ("_document", "_index", "_place")

    def __init__(self, document: Document, index: int) -> None:
        self._document = document
        self._index = index
        self._place = document.place(index)

    @classmethod
    def parse(cls, text: str | bytes) -> Sentence:
        """Read one sentence from its CoNLL-U or CoNLL-X text."""
        document = Document(text.encode() if isinstance(text, str) else text, "<text>")
        document.raise_first_fault()
        if len(document) != 1:
            raise NonprojError(f"the text has {len(document)} sentences, expected one: use read() for more")
        return cls(document, 0)

    def __len__(self) -> int:
        offsets = self._document.offsets
        return int(offsets[self._index + 1] - offsets[self._index])

    def __iter__(self) -> Iterator[Word]:
        """Cut all columns and give the words one by one."""
        form, lemma, upos, xpos, feats, deprel, deps, misc = map(self.column, COLUMNS)
        heads = self.heads
        columns = (range(1, len(heads) + 1), form, lemma, upos, xpos, feats, heads, deprel, deps, misc)
        return map(Word._make, zip(*columns, strict=True))

    def __str__(self) -> str:
        """Give the CoNLL text, ended by an empty line."""
        body = self._body.decode()
        return body + ("\r\n\r\n" if "\r\n" in body else "\n\n")

    def __bytes__(self) -> bytes:
        """Give the bytes as they came, with the empty lines around."""
        return self._document.text[self._place.begin : self._place.end]

    def __eq__(self, other: object) -> bool:
        return self._body == other._body if isinstance(other, Sentence) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._body)

    def __repr__(self) -> str:
        return f"<Sentence {self.sent_id}: {len(self)} words>"

    def _repr_html_(self) -> str:
        from nonproj.draw.notebook import html  # a notebook's hook: drawing is a later room, met only when shown

        return html(self)

    @property
    def heads(self) -> tuple[int, ...]:
        """The heads of the words; 0 is the root, -1 stands for a head yet unknown."""
        begin, end = self._document.offsets[self._index : self._index + 2]
        return tuple(self._document.heads[begin:end].tolist())

    @property
    def forms(self) -> list[str]:
        """The words as they stand in the text."""
        return self.column("form")

    @property
    def lemmas(self) -> list[str]:
        """The base forms."""
        return self.column("lemma")

    @property
    def upos(self) -> list[str]:
        """The universal tags; CPOSTAG in CoNLL-X."""
        return self.column("upos")

    @property
    def xpos(self) -> list[str]:
        """The tags of the language; POSTAG in CoNLL-X."""
        return self.column("xpos")

    @property
    def feats(self) -> list[str]:
        """The morphological features, as written."""
        return self.column("feats")

    @property
    def deprels(self) -> list[str]:
        """The relations of the words to their heads."""
        return self.column("deprel")

    @property
    def deps(self) -> list[str]:
        """The enhanced dependencies, as written; PHEAD in CoNLL-X."""
        return self.column("deps")

    @property
    def misc(self) -> list[str]:
        """Whatever else was annotated, as written; PDEPREL in CoNLL-X."""
        return self.column("misc")

    def column(self, name: str) -> list[str]:
        """Cut one column out: form, lemma, upos, xpos, feats, deprel, deps or misc."""
        if name not in COLUMNS:
            raise NonprojError(f"no column {name!r}, expected one of {', '.join(COLUMNS)}")
        return self._document.index.run(self._index, self._index + 1).column(COLUMNS[name])

    @property
    def multiword_tokens(self) -> list[MultiwordToken]:
        """The tokens that are several words; CoNLL-X has none.

        >>> Sentence.parse("1-2\\tdel\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\t_\\n1\\tde\\t_\\t_\\t_\\t_\\t0\\t_\\t_\\t_\\n"
        ...                "2\\tel\\t_\\t_\\t_\\t_\\t1\\t_\\t_\\t_\\n").multiword_tokens
        [MultiwordToken(first=1, last=2, form='del', misc='_')]
        """
        found = []
        for row in self._other_rows("-"):
            first, last = row[0].split("-")
            found.append(MultiwordToken(int(first), int(last), row[1], row[9]))
        return found

    @property
    def empty_nodes(self) -> list[EmptyNode]:
        """The nodes of the enhanced graph that are no words; CoNLL-X has none."""
        found = []
        for row in self._other_rows("."):
            after, nth = row[0].split(".")
            found.append(EmptyNode(int(after), int(nth), *row[1:6], *row[8:10]))
        return found

    @property
    def rows(self) -> list[list[str]]:
        """The cells of every line that is no comment: words, multiword tokens and empty nodes, in order."""
        lines = (line.rstrip("\r") for line in self._body.decode().split("\n"))
        return [line.split("\t") for line in lines if line and not line.startswith("#")]

    def _other_rows(self, mark: str) -> Iterator[list[str]]:
        """The rows that are no words, by what their ids have in them."""
        if self.format != "conllu":
            return
        for row in self.rows:
            if mark in row[0]:
                yield row

    @property
    def tree(self) -> Tree:
        """The dependency tree."""
        from nonproj.trees import Tree

        return Tree(self.heads, forms=self.forms, deprels=self.deprels)

    @property
    def comments(self) -> list[str]:
        """The comment lines, each with its ``#``."""
        comments = []
        for line in self._body.decode().split("\n"):
            if not line.startswith("#"):
                break
            comments.append(line.rstrip("\r"))
        return comments

    @property
    def sent_id(self) -> str:
        """What ``# sent_id =`` says, else the number of the sentence in its file, from 1."""
        return sent_id_in(self._body) or str(self._place.number)

    @property
    def text(self) -> str:
        """What ``# text =`` says, else the forms with spaces between them."""
        for comment in self.comments:
            if found := _TEXT.fullmatch(comment):
                return found[1]
        return " ".join(self.forms)

    @property
    def file(self) -> str:
        """The name of the file it was read from."""
        return self._document.file

    @property
    def line(self) -> int:
        """The number of its first line in that file."""
        return self._place.line

    @property
    def format(self) -> Format:
        """``"conllu"`` or ``"conllx"``."""
        return self._document.format

    def with_heads(
        self,
        heads: npt.ArrayLike,
        deprels: Sequence[str] | None = None,
        comments_added: Iterable[str] = (),
    ) -> Sentence:
        """Copy the sentence with other heads, maybe other relations and more comments; the rest stays."""
        comments = [comment if comment.startswith("#") else f"# {comment}" for comment in comments_added]
        run = self._document.index.run(self._index, self._index + 1)
        return self._with_text(b"".join(rewritten([run], heads, deprels, comments)))

    def to_networkx(self) -> Any:
        """Convert to a `networkx.DiGraph`: nodes 0 (the root) to n, arcs from head to dependent."""
        from nonproj.treebank.graphs import to_networkx

        facts = {"sent_id": self.sent_id, "text": self.text}
        return to_networkx(facts, [word._asdict() for word in self])

    @classmethod
    def from_networkx(cls, graph: Any) -> Sentence:
        """Make a sentence of a `networkx.DiGraph` such as `to_networkx` gives."""
        from nonproj.treebank.graphs import from_networkx

        return cls.parse(from_networkx(graph))

    def __reduce__(self) -> tuple[object, ...]:
        # Only its own text is pickled, not that of all the sentences around.
        own = self._with_text(bytes(self))
        return (Sentence, (own.document, 0))

    def _with_text(self, text: bytes) -> Sentence:
        place = self._place
        document = Document(
            text,
            self.file,
            self._document.options,
            format=self.format,
            start=place.body - place.begin,
            first_line=place.line,
            first_number=place.number,
        )
        return Sentence(document, 0)

    @property
    def document(self) -> Document:
        """The document it is a view of."""
        return self._document

    @property
    def index(self) -> int:
        """Its index in the document, from 0."""
        return self._index

    @property
    def place(self) -> Place:
        """Where it is in the document's text."""
        return self._place

    @property
    def _body(self) -> bytes:
        return self._document.text[self._place.body : self._place.body_end]
