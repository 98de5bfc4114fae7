"""Tasks on which language models are fine-tuned: files, labels, counts of right predictions, random settings.

The label of a word in an entity is a prefix and a type: `B-` begins an entity, `I-` continues it, `E-` ends
it, and `S-` is an entity of one word (Ramshaw and Marcus 1995; Tjong Kim Sang and Veenstra 1999); `O` is the
label of a word outside of any entity. All these schemes are read as in conlleval, the script of
the CoNLL-2000 shared task. The random search of settings is that of Bauwens and Delobelle (2024), section B.2
and table 10.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.base.lines import parse_lines, read_lines
from seggrid.studies.language_model.probes import check_characters
from seggrid.studies.language_model.text import FRAME, piece_sizes, split
from seggrid.studies.language_model.vocabulary import BEGIN, END, PAD, Vocabulary
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.text_files import words_of

Labels = Sequence[Sequence[str]]
"""The label of each word of each sentence, or the one label of each example."""

TEXTS = {"sentences": 1, "sentence_pairs": 2}
"""The kinds of tasks with one label per example, and how many texts an example has."""

KINDS = ("pos", "words", "entities", *TEXTS)
"""All kinds of tasks; the first three have a label for each word, `pos` from the tagger, the others from a
file."""

OUTSIDE = "O"
"""The label of a word outside of any entity."""

_ENTITY_LABEL = re.compile(r"O|[BIES]-\S+")
_DOCUMENT = "-DOCSTART-"


class Examples(NamedTuple):
    """Labeled texts: for each column (two for `sentence_pairs`), the words of each example; and its labels,
    one for each word or a single one."""

    texts: list[list[list[str]]]
    labels: list[list[str]]

    def take(self, chosen: Sequence[int]) -> Examples:
        """Some of the examples, by their indices."""
        texts = [[column[index] for index in chosen] for column in self.texts]
        return Examples(texts, [self.labels[index] for index in chosen])


def divide(train: Examples, validation: int, most: int | None) -> tuple[list[int], list[int]]:
    """The indices of the training examples that are kept, at most so many, and of those that are held out for
    validation."""
    kept, held_out = list(range(len(train.labels))), list[int]()
    if validation:
        texts = (map(tuple, column) for column in train.texts)
        kept, held_out = split(list(zip(*texts, strict=True)), validation)
    if most:
        kept = [kept[index] for index in split(range(len(kept)), most)[1]]
    if not kept:
        raise InputError(
            f"of {len(train.labels):,} training examples, none is left after holding out the validation",
            hint="hold out fewer (validation)",
        )
    return kept, held_out


def only_new(labels: Labels, words: Sentences, seen: Sentences) -> list[list[str]]:
    """The labels of the words that do not occur in the sentences `seen`.

    >>> only_new([["X", "Y"], ["Z"]], [["a", "b"], ["b"]], [["a"]])
    [['Y'], ['Z']]
    """
    old = set(chain.from_iterable(seen))
    return [
        [label for word, label in zip(*sentence, strict=True) if word not in old]
        for sentence in zip(words, labels, strict=True)
    ]


def read_examples(path: str | Path, kind: str) -> Examples:
    """Read the examples of a file.

    `words` and `entities`: each line has a word in its first and a label in its last column, and an empty
    line ends a sentence (CoNLL); columns are separated by tabs, or by spaces if the line has no tab.
    `sentences`: `label<TAB>text`; `sentence_pairs`: `label<TAB>text<TAB>text`.
    """
    lines = read_lines(path)
    for _ in parse_lines(path, enumerate(lines, 1), check_characters):
        pass
    examples = _texts(path, lines, TEXTS[kind]) if kind in TEXTS else _words(path, lines, kind)
    if not examples.labels:
        raise InputError("no example", file=path, hint="check that it is the right file")
    if kind == "entities" and all(label == OUTSIDE for own in examples.labels for label in own):
        raise InputError(
            f"no entity: every label is {OUTSIDE}", file=path, hint="check the last column"
        )
    return examples


def _words(path: str | Path, lines: list[str], kind: str) -> Examples:
    texts: list[list[str]] = [[]]
    labels: list[list[str]] = [[]]
    for number, line in enumerate(lines, 1):
        fields = (
            [field.strip(" ") for field in line.split("\t")] if "\t" in line else words_of(line)
        )
        if not any(fields):
            texts.append([])
            labels.append([])
        elif fields[0] != _DOCUMENT:
            word, label = fields[0], fields[-1]
            if len(fields) < 2 or len(words_of(word)) != 1 or len(words_of(label)) != 1:
                raise InputError(
                    f"{line!r} is not a word and its label",
                    file=path,
                    line=number,
                    hint="separate them by a tab or a space; an empty line ends a sentence",
                )
            if kind == "entities" and not _ENTITY_LABEL.fullmatch(label):
                raise InputError(
                    f"{label!r} is not the label of an entity, as B-LOC, I-LOC or O",
                    file=path,
                    line=number,
                    hint="set kind: words to score the labels of single words",
                )
            texts[-1].append(word)
            labels[-1].append(label)
    kept = [index for index, words in enumerate(texts) if words]
    return Examples([[texts[index] for index in kept]], [labels[index] for index in kept])


def _texts(path: str | Path, lines: list[str], parts: int) -> Examples:
    examples = Examples([[] for _ in range(parts)], [])
    for number, line in enumerate(lines, 1):
        label, *texts = map(words_of, line.split("\t"))
        if len(label) != 1 or len(texts) != parts or not all(texts):
            columns = " and ".join(["a label without spaces", *["a text"] * parts])
            raise InputError(
                f"not {columns}, separated by tabs",
                file=path,
                line=number,
                hint=f"{1 + parts} columns, none of them empty",
            )
        examples.labels.append(label)
        for column, words in zip(examples.texts, texts, strict=True):
            column.append(words)
    return examples


def entities(labels: Sequence[str]) -> set[tuple[int, int, str]]:
    """The entities of a sentence: numbers of the first and the last word, and type.

    An entity begins at `B-` and `S-`, and at `I-` and `E-` if they do not continue an entity of the same
    type.

    >>> sorted(entities(["B-PER", "I-PER", "O", "I-LOC", "B-LOC", "I-ORG"]))
    [(0, 1, 'PER'), (3, 3, 'LOC'), (4, 4, 'LOC'), (5, 5, 'ORG')]
    """
    found: set[tuple[int, int, str]] = set()
    first: int | None = None  # word of the open entity
    kind = ""
    for word, label in enumerate([*labels, OUTSIDE]):
        prefix, _, type_ = label.partition("-")
        continues = prefix in ("I", "E") and type_ == kind
        if first is not None and not continues:
            found.add((first, word - 1, kind))
            first = None
        if first is None and label != OUTSIDE:
            first, kind = word, type_
        if first is not None and prefix in ("E", "S"):
            found.add((first, word, kind))
            first = None
    return found


def number_labels(labels: Labels) -> dict[str, int]:
    """Number the labels in the order of code points."""
    return {label: n for n, label in enumerate(sorted({*chain.from_iterable(labels)}))}


def most_frequent_labels(train: Sentences, labels: Labels, test: Sentences) -> list[list[str]]:
    """The baseline without a model: a word gets its most frequent label in the training sentences, a new word
    the most frequent label overall. Ties go to the first label in the order of code points.

    >>> most_frequent_labels([["a", "b", "a"]], [["X", "Y", "X"]], [["b", "c"]])
    [['Y', 'X']]
    """
    counts: dict[str, Counter[str]] = {}
    total: Counter[str] = Counter()
    for words, own in zip(train, labels, strict=True):
        for word, label in zip(words, own, strict=True):
            counts.setdefault(word, Counter())[label] += 1
            total[label] += 1
    commonest = _commonest(total)
    best = {word: _commonest(own) for word, own in counts.items()}
    return [[best.get(word, commonest) for word in words] for words in test]


def count(
    kind: str, examples: Examples, predicted: Labels, seen: Sentences | None = None
) -> NDArray[np.int64]:
    """The numbers of right, gold and predicted labels or, with the right words and type, entities of each
    example, shape (S, 3); if there are sentences `seen`, of the words that do not occur in them.

    >>> count("entities", Examples([], [["B-X", "I-X", "B-Y"]]), [["B-X", "O", "B-Y"]]).tolist()
    [[1, 2, 2]]
    >>> count("words", Examples([], [["X", "Y"], ["X"]]), [["X", "X"], ["Y"]]).tolist()
    [[1, 2, 2], [0, 1, 1]]
    """
    gold: Labels = examples.labels
    if seen is not None:
        gold, predicted = (only_new(own, examples.texts[0], seen) for own in (gold, predicted))
    counts = []
    for own, labels in zip(gold, predicted, strict=True):
        if kind == "entities":
            given, found = entities(own), entities(labels)
            counts.append((len(given & found), len(given), len(found)))
        else:
            counts.append((sum(map(str.__eq__, own, labels)), len(own), len(labels)))
    return np.array(counts, dtype=np.int64).reshape(-1, 3)


def f1_of(counts: NDArray[np.int64]) -> Fraction:
    """F1 of the counts of examples, shape (S, 3), exactly; 0 without any."""
    right, gold, predicted = map(int, counts.sum(axis=0))
    return Fraction(2 * right, max(1, gold + predicted))


def named(kind: str, found: NDArray[np.int64], numbers: dict[str, int], labels: Labels) -> Labels:
    """The predicted labels of each example. A word without a prediction is outside any entity; if single
    labels are scored, it counts as wrong."""
    missing = OUTSIDE if kind == "entities" else ""
    names = {number: label for label, number in numbers.items()}
    flat = iter(found.tolist())
    return [[names.get(next(flat), missing) for _ in own] for own in labels]


def baseline(kind: str, train: Examples, test: Examples) -> Labels:
    """The most frequent label of each word or, if examples have one label each, of all examples."""
    known, asked = (
        [[""] for _ in own.labels] if kind in TEXTS else own.texts[0] for own in (train, test)
    )
    return most_frequent_labels(known, train.labels, asked)


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda label: (-counts[label], label))


# Labeled sequences of ids, on which a language model is fine-tuned. The label of a word is at its first token
# (Devlin et al. 2019, section 5.3); its other tokens have none.

NONE = -100
"""The value for no label; losses ignore it."""


@dataclass(frozen=True)
class Labeled:
    """N sequences of L ids, some with labels.

    Attributes:
        ids: the ids, padded at the end, shape (N, L).
        labels: the label, else `NONE`, shape (N, L).
        words: number of the labeled word, counted over all sentences, or of the labeled example, else -1,
            shape (N, L).
    """

    ids: NDArray[np.int32]
    labels: NDArray[np.int64]
    words: NDArray[np.int64]

    @classmethod
    def empty(cls, sequences: int, length: int) -> Labeled:
        """Padded sequences without labels."""
        shape = (sequences, length)
        return cls(
            np.full(shape, PAD, dtype=np.int32),
            np.full(shape, NONE, dtype=np.int64),
            np.full(shape, -1, dtype=np.int64),
        )


def first_tokens(tokens: Segmentation, words: Sequence[int]) -> NDArray[np.int64]:
    """The first token of each word, counted over all sentences with these numbers of words; -1 for a word
    without tokens; shape (W,)."""
    starts = offsets_of(words)
    sentence = np.repeat(np.arange(len(tokens)), tokens.lengths)
    found = np.full(int(starts[-1]), -1, dtype=np.int64)
    # A boundary token belongs to no word.
    within = np.flatnonzero(tokens.last >= tokens.first)[::-1]
    # Of several values for a place, the last is kept; in reversed order, this is the word's first token.
    found[starts[sentence[within]] + tokens.first[within]] = within
    return found


def label_tokens(
    texts: Sequence[Segmentation],
    vocabulary: Vocabulary,
    labels: Labels,
    numbers: dict[str, int],
    longest: int,
) -> Labeled:
    """Sentences, whose segmentation within words is the only one of `texts`, as sequences with the label of
    each word at its first token. Labels without a number become `NONE` and are never predicted; sequences of
    more than `longest` tokens, including special ones, are cut off."""
    (tokens,) = texts
    first = first_tokens(tokens, [len(own) for own in labels])
    flat = np.array([numbers.get(label, NONE) for own in labels for label in own], dtype=np.int64)
    ids = vocabulary.encode(tokens)
    label_at, word_at = np.full(len(ids), NONE), np.full(len(ids), -1)
    present = np.flatnonzero(first >= 0)
    label_at[first[present]] = flat[present]
    word_at[first[present]] = present
    sizes = piece_sizes(tokens.lengths, longest - FRAME)
    made = Labeled.empty(len(sizes), int(sizes.max(initial=0)) + FRAME)
    offsets = offsets_of(sizes)
    for row, size in enumerate(sizes):
        piece, inside = slice(offsets[row], offsets[row + 1]), slice(1, size + 1)
        made.ids[row, 0], made.ids[row, size + 1] = BEGIN, END
        made.ids[row, inside] = ids[piece]
        made.labels[row, inside] = label_at[piece]
        made.words[row, inside] = word_at[piece]
    return made


def label_examples(
    texts: Sequence[Segmentation],
    vocabulary: Vocabulary,
    labels: Labels,
    numbers: dict[str, int],
    longest: int,
) -> Labeled:
    """Examples as sequences with their label at the first token, `<s>`; `texts` are the segmentations of the
    first and, if there are any, the second texts.

    A second text follows as in RoBERTa: `<s> … </s></s> … </s>`. If two texts together are too long, tokens
    are removed from the end of the longer one until they fit.
    """
    encoded = [vocabulary.encode(text) for text in texts]
    rows = []
    for example in range(len(labels)):
        parts = [
            ids[text.offsets[example] : text.offsets[example + 1]]
            for text, ids in zip(texts, encoded, strict=True)
        ]
        sizes = _fitted([len(part) for part in parts], longest - FRAME * len(parts))
        row: list[int] = []
        for part, size in zip(parts, sizes, strict=True):
            row += [END if row else BEGIN, *part[:size].tolist(), END]
        rows.append(row)
    made = Labeled.empty(len(rows), max(map(len, rows), default=0))
    for number, (row, own) in enumerate(zip(rows, labels, strict=True)):
        made.ids[number, : len(row)] = row
        made.labels[number, 0], made.words[number, 0] = numbers.get(own[0], NONE), number
    return made


def _fitted(sizes: list[int], most: int) -> list[int]:
    """The sizes of texts after shortening the longest until together they have at most `most` tokens.

    >>> _fitted([7, 3], 8), _fitted([7, 6], 8), _fitted([3, 2], 8)
    ([5, 3], [4, 4], [3, 2])
    """
    sizes = list(sizes)
    while sum(sizes) > most:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


# Random settings

BATCHES = (16, 32, 64, 128, 256, 512)
"""The numbers of sequences per step from which one is drawn."""

LEARNING_RATES = (1e-6, 1e-3)
"""The range of the learning rate. Its distribution is not published; here its logarithm is uniform."""

WEIGHT_DECAYS = (0.01, 0.1)
"""The range of the weight decay, uniform."""


class Setting(NamedTuple):
    """Settings of fine-tuning with AdamW.

    Attributes:
        batch: sequences in a step.
        learning_rate: learning rate of each step.
    """

    batch: int
    learning_rate: float
    weight_decay: float

    def __str__(self) -> str:
        rate, decay = f"{self.learning_rate:.3g}", f"{self.weight_decay:.3g}"
        return f"batch {self.batch}, learning rate {rate}, weight decay {decay}"


def random_settings(number: int, seed: int) -> list[Setting]:
    """Draw settings. They depend only on the seed; of more settings, the first are the same."""
    drawn = []
    for trial in range(number):
        random = np.random.default_rng([seed, trial])
        batch = int(random.choice(BATCHES))
        rate = float(np.exp(random.uniform(*np.log(LEARNING_RATES))))
        drawn.append(Setting(batch, rate, float(random.uniform(*WEIGHT_DECAYS))))
    return drawn
