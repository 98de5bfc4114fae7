"""The config's language pairs: their texts, gold, morphemes and tokenizers from elsewhere."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from seggrid.corpus.pair import PairFormat
from seggrid.corpus.text import ControlCharacters, EmptyLines
from seggrid.data.settings import OneOrMore, Settings
from seggrid.grid.config.values import File, Name, Text, TokenizerFormat

MorphemeFormat = Literal["surface", "celex"]


class Morphemes(Settings):
    """Morphological reference of the language, which knockout learns from."""

    file: File
    format: MorphemeFormat = "surface"
    """`surface`: `word<TAB>morphemes`; `celex`: `lemma<TAB>StrucLab`."""


class OutsideTokenizer(Settings):
    """A tokenizer from elsewhere."""

    file: File
    format: TokenizerFormat
    """`huggingface`: a `tokenizer.json`; `sentencepiece`: a `.model`; the others: the side's text cut into
    tokens, a sentence a line: `@@` after a token that the next one goes on with, `##` before one that goes
    on with a word, `▁` for a space, `</w>` after the last token of a word."""


class PairSide(Settings):
    """One language of a pair."""

    text: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Its text, plain or compressed (gz, zst); several files are read one after the other."""

    language: Annotated[Text, Field(min_length=1)] | None = None
    """Its name, in the alignment viewer; by default, `source` or `target`. `lexical` needs one that it
    can tag: German, English or Dutch."""

    format: Literal["lines", "tsv", "wpt"] = "lines"
    """`lines`: a sentence a line; `tsv`: `id<TAB>sentence`; `wpt`: `<s snum=1> sentence </s>`."""

    training: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Further text, in the same format, that is learned from and aligned but not scored."""

    code: Annotated[Text, Field(min_length=1)] | None = None
    """Its language code, where `pairs.NAME.text` is of TMX (`xml:lang`) or Moses (ending of the name)."""

    morphemes: Morphemes | None = None

    lexicon: File | None = None
    """Further words that `lexical` learns from, `word<TAB>part of speech` lines: a local path, or a file to
    download."""

    tokenizers: dict[Name, OutsideTokenizer] = Field({})
    """Tokenizers from elsewhere, by name, for the segmenter `external`."""


class Gold(Settings):
    """Gold word alignments of some or all sentence pairs."""

    file: File
    format: Literal["pharaoh", "pharaoh-ids", "naacl"] = "pharaoh"
    """`pharaoh`: line k holds the links of sentence k, `i-j` sure, `ipj` possible; `pharaoh-ids`:
    `id<TAB>links`; `naacl`: `sentence i j [S|P]` lines."""

    base: Annotated[int, Field(ge=0, le=1)] = 0
    """The number that the first word has."""

    swapped: bool = False
    """The links are written target first."""

    bad_links: Literal["refuse", "drop"] = "refuse"
    """What becomes of links outside their sentences: the gold is refused, or they are left out, and
    counted before the run and in the log of the gold."""

    empty_lines: EmptyLines = "refuse"
    """What becomes of a line of `pharaoh` gold without a link: the gold is refused, or the sentence is
    one without gold, and such lines are counted before the run."""


class Pair(Settings):
    """A language pair."""

    text: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Files that hold both sides, in place of a text for each; of Moses, what two names have in common."""

    format: PairFormat | None = None
    """Of these files: `bars` (`source ||| target`), `columns` (`source<TAB>target`), `tmx`, or `moses`; by
    default, what the first one's name tells (`.tmx`, `.tsv`), else `bars`."""

    training: Annotated[OneOrMore[File], Field(min_length=1)] | None = None
    """Further files of that format that are learned from and aligned but not scored."""

    control_characters: ControlCharacters = "refuse"
    """What becomes of control characters in a text: it is refused, or they are dropped, and counted before
    the run. A word of nothing else becomes U+FFFD, so that gold still counts the words."""

    empty_lines: EmptyLines = "refuse"
    """What becomes of sentence pairs of which a side is empty: the text is refused, or they are left
    out of both sides, with their gold, and counted before the run."""

    source: PairSide
    target: PairSide
    gold: Gold | None = None
    """Its gold; without any, cells have measures and links, and no scores."""
