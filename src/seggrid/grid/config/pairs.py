"""The config's language pairs: texts, gold, morphemes and tokenizers from elsewhere; and their check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field

from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.config.read import ConfigFindings
from seggrid.grid.config.values import Download, File, Name, Text
from seggrid.text.link_formats import GoldFormat
from seggrid.text.link_notation import BadLinks, Notation
from seggrid.text.pair import PairFormat, pair_format
from seggrid.text.sides import SIDES, other_side
from seggrid.text.text_files import ControlCharacters, EmptyLines

MorphemeFormat = Literal["surface", "celex"]
TokenizerFormat = Literal[
    "huggingface",
    "sentencepiece",
    "tiktoken",
    "merges",
    "tokens-@@",
    "tokens-##",
    "tokens-▁",
    "tokens-</w>",
]


class Morphemes(Settings):
    """Morphological reference of the language, from which knockout computes blame."""

    file: File
    format: MorphemeFormat = "surface"
    """`surface`: `word<TAB>morphemes`, or a table of SIGMORPHON 2022, UniMorph, MorphyNet (inflections),
    UniSegments, Morpho Challenge or Morfessor; `celex`: `lemma<TAB>StrucLab`."""


class OutsideTokenizer(Settings):
    """A tokenizer from elsewhere."""

    file: File
    format: TokenizerFormat | None = None
    """By default, what the file shows: `huggingface`: a `tokenizer.json`; `sentencepiece`: a `.model`;
    `tiktoken`: its ranks; `merges`: a `merges.txt` over bytes beside its `vocab.json`. The others must be
    said: the side's text split into tokens, one sentence per line, with `@@` at the end of each token but
    the last of a word, `##` at the start of each token but the first of a word, `▁` for a space, or `</w>`
    at the end of each word."""


class PairSide(Settings):
    """One language of a pair."""

    text: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """The text, plain or compressed (gz, zst, bz2, xz); several files are read one after the other."""

    language: Annotated[Text, Field(min_length=1)] | None = None
    """Name of the language, shown in the alignment viewer; by default, `source` or `target`. `lexical` needs
    a language that it can tag: German, English or Dutch."""

    format: Literal["lines", "tsv", "wpt"] = "lines"
    """`lines`: one sentence per line; `tsv`: `id<TAB>sentence`; `wpt`: `<s snum=1> sentence </s>`."""

    training: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """More text in the same format, used for learning and aligning but not scored."""

    code: Annotated[Text, Field(min_length=1)] | None = None
    """Language code, if `pairs.NAME.text` is TMX (its `xml:lang`) or Moses (the ending of the file name)."""

    morphemes: Morphemes | None = None

    lexicon: File | None = None
    """More words that `lexical` learns from, as lines `word<TAB>part of speech`: a local path, or a file to
    download."""

    model: File | None = None
    """Merges that are learned already, a file of `seggrid learn`: the segmenter `bpe` uses the first of them
    in place of merges learned on the text."""

    tokenizers: dict[Name, OutsideTokenizer] = Field({})
    """Tokenizers from elsewhere, by name, for the segmenter `external`."""


class GoldEntry(Settings):
    """Gold word alignments of some or all sentence pairs."""

    file: File | None = None
    """The links; not of the format `column`, which has them in the pair's text."""

    format: GoldFormat = "pharaoh"
    """`pharaoh`: line k holds the links of sentence k, `i-j` sure, `ipj` possible; `pharaoh-ids`:
    `id<TAB>links`; `naacl`: `sentence i j [S|P]` lines; `column`: the third column of `pairs.NAME.text`
    (`source<TAB>target<TAB>links`); `tsinghua`: `i:j/1` sure, `i:j/0` possible; `rwth`: `SENT: sentence`,
    then `S i j` or `P i j` lines; `blinker`: `i j` lines after `==> sampN.SentPairK <==`; `czenali`: XML."""

    base: Annotated[int, Field(ge=0, le=1)] | None = None
    """Number of the first word of a sentence and, if the gold names sentences by line numbers, of the first
    line; by default 0, but 1 for `tsinghua`, `blinker` and `czenali`."""

    swapped: bool = False
    """Whether the links are written target first."""

    bad_links: BadLinks = "refuse"
    """What to do with links outside their sentences: refuse the gold, or drop the links and report their
    number before the run and in the log of the stage."""

    empty_lines: EmptyLines = "refuse"
    """What to do with lines without links, of `pharaoh` and `column` gold: refuse the gold, or treat these
    sentences as without gold and report their number before the run."""

    development: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """The first N sentences with gold choose settings, and the others score the choice, in `verdict.csv` and
    `selection.csv`: for gold with a published split. By default, the gold is divided into ten folds. All
    other scores are of all sentences with gold."""

    @property
    def notation(self) -> Notation:
        """How the links are written."""
        return Notation(
            self.format, self.base, self.swapped, self.empty_lines, bad_links=self.bad_links
        )


class Pair(Settings):
    """A language pair."""

    text: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Files that contain both sides, instead of a text for each side; for Moses, the common part of the two
    file names."""

    format: PairFormat | None = None
    """Format of these files: `bars` (`source ||| target`), `columns` (`source<TAB>target`, perhaps
    `<TAB>links`), `tmx`, or `moses`. By default it follows from the name of the first file (`.tmx`, `.tsv`),
    else it is `bars`."""

    training: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """More files in that format, used for learning and aligning but not scored; links in them
    are not used."""

    control_characters: ControlCharacters = "refuse"
    """What to do with control characters in a text: refuse the text, or drop them and report their number
    before the run. A word of control characters only becomes U+FFFD, so that word numbers stay valid."""

    empty_lines: EmptyLines = "refuse"
    """What to do with sentence pairs with an empty side: refuse the text, or leave them out of both sides,
    with their gold, and report their number before the run."""

    source: PairSide
    target: PairSide | None = None
    """As `source`; not needed if no experiment uses the pair, but only evaluations of morphology or language
    models do."""

    gold: GoldEntry | None = None
    """Gold links of the pair; without gold, cells have measures and links but no scores."""

    @property
    def skips_empty(self) -> bool:
        """Whether sentence pairs with an empty side are left out."""
        return self.empty_lines == "skip"

    @property
    def treatment(self) -> dict[str, Any]:
        """How the texts are read, as attributes of `seggrid.text.text_files.Text`."""
        return self.model_dump(include={"control_characters", "empty_lines"})

    @property
    def joint_format(self) -> PairFormat:
        """The format of the files that contain both sides; only if there are some."""
        assert self.text is not None
        first = self.text[0]
        return self.format or pair_format(
            first if isinstance(first, str) else first.member or first.url
        )

    @property
    def languages(self) -> dict[str, str]:
        """The language of each side; without one, the name of the side."""
        return {name: self.side(name).language or name for name in SIDES}

    def side(self, name: str) -> PairSide:
        """One side of the pair; the source stands for a target that is left out."""
        return self.source if name == "source" or self.target is None else self.target


def check_pair_entry(name: str, pair: Pair, findings: ConfigFindings) -> None:
    """Check that a pair has a text for each side, or one of both sides; and where its gold is."""
    key, gold, named = ("pairs", name), pair.gold, f"pairs.{name}"

    def refuse(where: str, message: str, hint: str) -> None:
        findings.mistake((*key, *where.split(".")), message, hint)

    if gold is not None and gold.format != "column" and gold.file is None:
        refuse("gold", "the key 'file' is missing", "add file: …")
    elif gold is not None and gold.format == "column":
        if gold.file is not None:
            hint = f"take it out, and name the file by {named}.text"
            refuse("gold.file", "together with format: column, which is of the pair's text", hint)
        elif pair.text is None or pair.joint_format != "columns":
            hint = f"give {named}.text with format: columns"
            refuse("gold.format", "column is the third column of a text of both sides", hint)
    if pair.text is not None:
        _check_joint(pair, refuse, named)
        return
    for option in ("format", "training"):
        if getattr(pair, option) is not None:
            hint = f"write it under source and target, or add {named}.text"
            refuse(option, "has no effect without the key text", hint)
    sides = SIDES if pair.target is not None else SIDES[:1]
    for side in sides:
        if pair.side(side).text is None:
            refuse(side, "no text", f"add text, or {named}.text for both sides")
    if pair.target is None and gold is not None:
        refuse("gold", "gold of a pair without a target", "add the target")
    trained = [side for side in sides if pair.side(side).training is not None]
    if pair.target is not None and len(trained) == 1:
        message = f"no training, which the {trained[0]} has"
        refuse(other_side(trained[0]), message, "add its files")


def _check_joint(pair: Pair, refuse: Callable[[str, str, str], None], named: str) -> None:
    """Check a pair whose files contain both sides."""
    assert pair.text is not None
    if pair.target is None:
        refuse("target", "none, with a text of both sides", "add target: {language: …}")
        return
    format = pair.joint_format
    for name in SIDES:
        side = pair.side(name)
        for option in ("text", "training"):
            if getattr(side, option) is not None:
                hint = f"keep this one, or {named}.{option}"
                refuse(f"{name}.{option}", f"together with a {option} of both sides", hint)
        if "format" in side.model_fields_set:
            refuse(f"{name}.format", "has no effect with a text of both sides", "take it out")
        if format in ("tmx", "moses") and side.code is None:
            refuse(name, f"no code, which {format} needs", "add code: en, or what it is")
    files = [*pair.text, *(pair.training or [])]
    if format == "moses" and any(isinstance(file, Download) for file in files):
        hint = "give each side its own text: {url: …, sha256: …}"
        refuse("text", "Moses files to download", hint)
