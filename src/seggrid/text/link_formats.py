"""The formats in which links between words are written, of gold and of aligners.

In the order of the sentences:

`pharaoh`
    Line k holds the links of sentence k: `i-j`; in gold, `i-j` is sure, `ipj` and `i?j` are possible.
`column`
    `source<TAB>target<TAB>links`: text and links in one file (text format `columns`), with links as in
    `pharaoh`.
`weighted`
    `i-j:p` or `i-j/p`, links with their probabilities; those above a threshold are read. Not for gold.
`tsinghua`
    `i:j/1` (sure) or `i:j/0` (possible), from 1, as in the gold of TsinghuaAligner (Liu and Sun 2015).
`czenali`
    XML, `<s id="…"> … <sure>i-j …</sure> <possible>…</possible> <phrasal>…</phrasal></s>`, from 1: the gold
    of Mareček (2008), "Automatic Alignment of Tectogrammatical Trees". Phrasal links are possible ones.
    Several files may follow each other in one.

With the number of the sentence, always that of its line:

`giza`
    A3 files of GIZA++ and MGIZA: three lines for each pair, the last with the target positions of each source
    word, from 1: `NULL ({ 3 }) the ({ 1 }) …`.
`blinker`
    `i j`, one link per line, from 1; 0 is the empty word (Melamed 1998, "Annotation Style Guide for the
    Blinker Project"). Each verse has a file of its own: `sampN.SentPairK` is sentence 10 (N − 1) + K + 1.
    `tail -n +1 A1/samp*` joins them, with lines `==> NAME <==` before each. A single file is the first
    sentence.

With a name for each sentence, its id or, if the text has no ids, its line number:

`pharaoh-ids`
    `id<TAB>links`, in any order, as simalign writes them, too. An id without links is a sentence in which no
    word is aligned; a sentence that is not listed has no gold.
`naacl`
    `sentence i j [S|P] [confidence]`, one link per line, as in the shared task of NAACL 2003 (Mihalcea and
    Pedersen, "An Evaluation Exercise for Word Alignment"). Without a letter, a link is sure; the confidence
    is not used. If words are counted from one, position 0 is the empty word, whose links are left out. If no
    id is spelled as `sentence`, the one id is meant that is the same number with more or fewer leading zeros.
`rwth`
    A line `SENT: sentence`, then `S i j` or `P i j`, one link per line, as in the gold of RWTH Aachen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from seggrid.base.errors import InputError

GoldFormat = Literal[
    "pharaoh", "pharaoh-ids", "naacl", "column", "tsinghua", "rwth", "blinker", "czenali"
]
LinksFormat = Literal[GoldFormat, "weighted", "giza"]

_TAB = "\t"
_DIGITS = 9  # the most digits of a position, which is stored in 32 bits


class Mark(NamedTuple):
    """A link as written.

    Attributes:
        source: position of its source word.
        target: position of its target word.
        sure: whether it is sure.
        weight: its probability, 1 if it has none.
    """

    source: int
    target: int
    sure: bool = True
    weight: float = 1.0


class LinkRow(NamedTuple):
    """Links of a sentence.

    Attributes:
        sentence: number of the sentence from 0, or its name.
        line: their line in the file, from 1.
        links: the links.
        tab: whether there is a tab among them.
    """

    sentence: int | str
    line: int
    links: list[Mark]
    tab: bool = False


Rows = Iterator[LinkRow | InputError]
"""What a reader yields; a line with a mistake gives the mistake, without the file."""
Reader = Callable[[Sequence[str]], Rows]


@dataclass(frozen=True)
class LinkFormat:
    """A format.

    Attributes:
        looks: a pattern that fits each line; None if `starts` says what the first line begins with.
        named: whether sentences have names: ids or, without ids, line numbers.
        several: whether a sentence may have several rows.
        base: the number of the first word, if the format says it.
        null: whether position 0 is the empty word if words are counted from 1.
        complete: whether sentences without links are listed, too.
        gold: whether gold may have this format.
    """

    read: Reader
    looks: str | None = None
    starts: tuple[str, ...] = ()
    named: bool = False
    several: bool = False
    base: int | None = None
    null: bool = False
    complete: bool = True
    gold: bool = True

    @property
    def is_ordered(self) -> bool:
        """Whether each line is a sentence, so that an empty line of gold may mean a sentence without gold."""
        return not (self.named or self.several)


# The links of a line.

_LINK = re.compile(r"([0-9]+)([-p?])([0-9]+)")
_WEIGHTED = re.compile(r"([0-9]+)-([0-9]+)[:/]([0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]{1,3})?)")
_TSINGHUA = re.compile(r"([0-9]+):([0-9]+)/([01])")
_PLAIN = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(?: [0-9]{1,9}-[0-9]{1,9})*")


def _mark(i: str, j: str, sure: bool = True, weight: float = 1.0) -> Mark:
    return Mark(_position(i), _position(j), sure, weight)


def _position(digits: str) -> int:
    digits = digits.lstrip("0") or "0"
    if len(digits) > _DIGITS:
        raise InputError(f"position {digits} is in no sentence", hint="correct the link")
    return int(digits)


def _fields(link: re.Pattern[str], text: str, hint: str) -> Iterator[tuple[str, ...]]:
    """The fields of each link in a text."""
    for word in text.split():
        found = link.fullmatch(word)
        if found is None:
            raise InputError(f"malformed link {word!r}", hint=hint)
        yield found.groups()


def _pharaoh(text: str) -> list[Mark]:
    if _PLAIN.fullmatch(text):  # most lines of aligners, read faster
        places = [*map(int, text.replace("-", " ").split())]
        return [*map(Mark, places[::2], places[1::2])]
    fields = _fields(_LINK, text, "a link is i-j; in gold, ipj is a possible one")
    return [_mark(i, j, kind == "-") for i, kind, j in fields]


def _weighted(text: str) -> list[Mark]:
    marks = [
        _mark(i, j, weight=float(p))
        for i, j, p in _fields(_WEIGHTED, text, "i-j:p, with a probability p")
    ]
    if any(mark.weight > 1 for mark in marks):
        hint = "write links that count as i-j, without weights"
        raise InputError(f"a weight in {text!r} is not a probability", hint=hint)
    return marks


def _tsinghua(text: str) -> list[Mark]:
    fields = _fields(_TSINGHUA, text, "i:j/1 for a sure link, i:j/0 for a possible one")
    return [_mark(i, j, kind == "1") for i, j, kind in fields]


# Readers of formats that are read line by line.

LineReader = Callable[[int, str, "int | str | None"], "LinkRow | None"]
"""A function of the number of a line, from 1, the line, and the sentence of the last row before it."""


def _by_line(read: LineReader) -> Reader:
    def rows(lines: Sequence[str]) -> Rows:
        sentence = None
        for number, line in enumerate(lines, 1):
            try:
                row = read(number, line, sentence)
            except InputError as error:
                yield error.at(line=number)
            else:
                if row is not None:
                    sentence = row.sentence
                    yield row

    return rows


def _in_order(marks: Callable[[str], list[Mark]], column: int = 0) -> Reader:
    """A reader of a format in which line k has the links of sentence k, from some column on."""

    def row(number: int, line: str, _: int | str | None) -> LinkRow:
        links = _TAB.join(line.split(_TAB)[column:])
        # Only these links do not say themselves whether they are sure.
        return LinkRow(number - 1, number, marks(links), marks is _pharaoh and _TAB in links)

    return _by_line(row)


def _pharaoh_ids(number: int, line: str, _: int | str | None) -> LinkRow:
    name, tab, links = line.partition(_TAB)
    if not tab:
        hint = "`id<TAB>i-j ...`, or say that the format is pharaoh if there are no ids"
        raise InputError("no tab between an id and its links", hint=hint)
    return LinkRow(name.strip(" "), number, _pharaoh(links), _TAB in links)


_NUMBER = re.compile(r"[0-9]+")


def _naacl(number: int, line: str, _: int | str | None) -> LinkRow:
    fields = line.split()
    if not (3 <= len(fields) <= 5 and all(map(_NUMBER.fullmatch, fields[1:3]))):
        raise InputError(f"malformed link {line!r}", hint="`sentence i j [S|P]`")
    kind = fields[3] if len(fields) > 3 else "S"
    if kind not in ("S", "P"):
        try:
            float(kind)
        except ValueError:
            raise InputError(f"{kind!r} is neither S nor P", hint="S or P") from None
    return LinkRow(fields[0], number, [_mark(fields[1], fields[2], kind != "P")])


_RWTH_SENTENCE = re.compile(r"SENT: *([^\s]+) *")
_RWTH_LINK = re.compile(r"([SP]) +([0-9]+) +([0-9]+) *")


def _rwth(number: int, line: str, sentence: int | str | None) -> LinkRow | None:
    if begun := _RWTH_SENTENCE.fullmatch(line):
        return LinkRow(begun[1], number, [])
    if found := _RWTH_LINK.fullmatch(line):
        if sentence is None:
            raise InputError("a link before a sentence", hint="`SENT: sentence`")
        return LinkRow(sentence, number, [_mark(found[2], found[3], found[1] == "S")])
    if line.strip(" "):
        raise InputError(f"malformed line {line!r}", hint="`S i j` or `P i j`")
    return None


_BLINKER_FILE = re.compile(r"==> (?:[^ ]*/)?samp([0-9]{1,6})\.SentPair([0-9]) <==")
_BLINKER_LINK = re.compile(r" *([0-9]+)[ \t]+([0-9]+)[ \t]*")


def _blinker(number: int, line: str, sentence: int | str | None) -> LinkRow | None:
    if begun := _BLINKER_FILE.fullmatch(line):
        if not int(begun[1]):
            raise InputError(f"no sample 0, as in {line!r}", hint="from samp1 on")
        return LinkRow(10 * (int(begun[1]) - 1) + int(begun[2]), number, [])
    if found := _BLINKER_LINK.fullmatch(line):
        return LinkRow(sentence or 0, number, [_mark(found[1], found[2])])
    if line.strip(" "):
        hint = "`i j`, or `==> sampN.SentPairK <==` before the links of each file"
        raise InputError(f"malformed line {line!r}", hint=hint)
    return None


# Readers of formats in which a line has several sentences, or a sentence several lines.

_CZENALI_TAG = re.compile(r"<(/?)(s|sure|possible|phrasal)(?: [^<>]*)?>")


def _czenali(lines: Sequence[str]) -> Rows:
    sentence, kind = -1, ""
    for number, line in enumerate(lines, 1):
        # A tag and the text after it; before the first tag, the text of one on an earlier line.
        parts = ["", kind, *_CZENALI_TAG.split(line)]
        for slash, name, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            kind = "" if slash or name == "s" else name
            try:
                if name == "s" and not slash:
                    sentence += 1
                    yield LinkRow(sentence, number, [])
                elif kind and sentence < 0:
                    raise InputError("links before a sentence", hint='`<s id="…">`')
                elif kind:
                    marks = [mark._replace(sure=kind == "sure") for mark in _pharaoh(text)]
                    yield LinkRow(sentence, number, marks)
            except InputError as error:
                yield error.at(line=number)
                return


_GIZA_PAIR = re.compile(r"# Sentence pair \(([0-9]{1,9})\) source length ([0-9]{1,9}) .*")
_GIZA_WORD = re.compile(r" \(\{ ((?:[0-9]+ )*)\}\)")


def _giza(lines: Sequence[str]) -> Rows:
    for begin in range(0, len(lines), 3):
        pair = _GIZA_PAIR.fullmatch(lines[begin])
        if pair is None or begin + 2 >= len(lines) or not int(pair[1]):
            hint = "each has three lines: `# Sentence pair (n) source length …`, target, source"
            yield InputError("not a sentence pair of GIZA++", line=begin + 1, hint=hint)
            return
        words = _GIZA_WORD.findall(lines[begin + 2])
        if len(words) != int(pair[2]) + 1:
            message = f"{len(words)} words and NULL, where line {begin + 1} says {pair[2]} words"
            yield InputError(message, line=begin + 3, hint="`NULL ({ 3 }) word ({ 1 2 }) …`")
            continue
        try:
            links = [Mark(i, _position(j)) for i, row in enumerate(words) if i for j in row.split()]
            yield LinkRow(int(pair[1]) - 1, begin + 3, links)
        except InputError as error:
            yield error.at(line=begin + 3)


# The table of formats, and the guess.


def _repeated(link: re.Pattern[str], between: str = " +") -> str:
    """A pattern of links."""
    plain = re.sub(r"\((?!\?)", "(?:", link.pattern)
    return rf"{plain}(?:{between}{plain})*"


_ONE, _WITH_TABS = _repeated(_LINK), _repeated(_LINK, r"[ \t]+")

FORMATS: dict[str, LinkFormat] = {
    "naacl": LinkFormat(
        _by_line(_naacl),
        r"[^\s]+[ \t]+[0-9]+[ \t]+[0-9]+([ \t]+[SP])?([ \t]+[0-9.]+)?[ \t]*",
        named=True,
        several=True,
        null=True,
        complete=False,
    ),
    "pharaoh": LinkFormat(_in_order(_pharaoh), rf" *{_WITH_TABS}[ \t]*"),
    "column": LinkFormat(_in_order(_pharaoh, 2), rf"[^\t]+\t(?!{_ONE} *\t)[^\t]+\t *({_ONE} *)?"),
    "pharaoh-ids": LinkFormat(_by_line(_pharaoh_ids), rf"[^\t]+\t *({_ONE} *)?", named=True),
    "weighted": LinkFormat(_in_order(_weighted), rf" *{_repeated(_WEIGHTED)} *", gold=False),
    "tsinghua": LinkFormat(_in_order(_tsinghua), rf" *{_repeated(_TSINGHUA)} *", base=1),
    "rwth": LinkFormat(_by_line(_rwth), starts=("SENT:",), named=True, several=True),
    "blinker": LinkFormat(
        _by_line(_blinker),
        _BLINKER_LINK.pattern,
        ("==> ",),
        several=True,
        base=1,
        null=True,
        complete=False,
    ),
    "giza": LinkFormat(_giza, starts=("# Sentence pair (",), base=1, gold=False),
    "czenali": LinkFormat(_czenali, starts=("<s id=", "<sentences", "<?xml"), several=True, base=1),
}
"""The formats, by name, in the order in which `guess_format` tries them."""

_SCORED, _COLONS = "links with scores of sil-machine, i-j:s:s", "links of the form i:j"
_OTHERS = {
    _SCORED: r"[0-9]+-[0-9]+(:[^ :]+){2}( +[0-9]+-[0-9]+(:[^ :]+){2})* *",
    _COLONS: r"[0-9]+:[0-9]+( +[0-9]+:[0-9]+)* *",
    "links of the form i/j": r"[0-9]+/[0-9]+( +[0-9]+/[0-9]+)* *",
    "links of the form i,j": r"\(?[0-9]+, ?[0-9]+\)?( +\(?[0-9]+, ?[0-9]+\)?)* *",
    "sentences with tags (`<s snum=1> … </s>`)": r"\s*<s(eg)?\b[^>]*>.*</s(eg)?>\s*",
    "a parallel text (`… ||| …`)": r".* \|\|\| .*",
}
CONVERT = {
    _SCORED: "take the scores away: sed -E 's/:[^ ]+//g' FILE",
    _COLONS: "if they count from 0: sed 's/:/-/g' FILE; TsinghuaAligner's have /1 at the end",
}
"""Hints on formats that are not read; for others, it is to convert them."""
_LOOKS = {name: form.looks for name, form in FORMATS.items() if form.looks} | _OTHERS
_STARTS = {name: form.starts for name, form in FORMATS.items() if form.starts}
_STARTS |= {"JSON": ("{", "["), "XML": ("<",)}
_READ = 20
"""Number of lines from which `guess_format` guesses."""


def guess_format(lines: Sequence[str]) -> str | None:
    """The format that the first lines of a file of links seem to have, which may be an unsupported one: all
    of them have it or, in a file with mistakes, nine of ten.

    >>> guess_format(["1 1 1 S", "1 2 3 P"]), guess_format(["0:0 1:1"]), guess_format(["the house"])
    ('naacl', 'links of the form i:j', None)
    """
    seen = [line for line in lines[:_READ] if line.strip()]
    if not seen:
        return None
    first = seen[0].lstrip()
    begun = next((name for name, start in _STARTS.items() if first.startswith(start)), None)
    if begun == "czenali" and not any("<sure>" in line for line in lines):
        begun = "XML"
    fitting = {
        name: sum(len(line) < 100_000 and bool(re.fullmatch(pattern, line)) for line in seen)
        for name, pattern in _LOOKS.items()
    }
    if begun in FORMATS:
        return begun
    for least in (len(seen), 0.9 * len(seen)):
        for name, lines_fitting in fitting.items():
            if lines_fitting >= least:
                return name
    return begun


def may_be_ids(lines: Sequence[str]) -> bool:
    """Whether lines of links with one tab each may as well be `id<TAB>links`, with ids such as `12-3`."""
    parts = [line.split(_TAB) for line in lines]
    ids = {row[0] for row in parts}
    return len(ids) == len(lines) and all(
        len(row) == 2 and _LINK.fullmatch(row[0]) for row in parts
    )
