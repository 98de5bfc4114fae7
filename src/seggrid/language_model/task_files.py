"""The files of tasks on which language models are fine-tuned."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from seggrid.base.lines import read_lines
from seggrid.corpus.text import words_of
from seggrid.errors import InputError
from seggrid.language_model.entities import OUTSIDE, is_entity_label
from seggrid.language_model.probes import check_characters

TEXTS = {"sentences": 1, "sentence_pairs": 2}
"""Texts in an example of each kind of task with one label an example."""

KINDS = ("pos", "words", "entities", *TEXTS)
"""Kinds of tasks: labels of words, from the tagger or from a file, labels of words that make up entities, and
labels of examples."""

_DOCUMENT = "-DOCSTART-"


class Examples(NamedTuple):
    """Labeled texts.

    Attributes:
        texts: of each part of an example (one, or two in `sentence_pairs`), the words of all examples.
        labels: of each example: one for each word of its text, or one.
    """

    texts: list[list[list[str]]]
    labels: list[list[str]]


def read_examples(path: str | Path, kind: str) -> Examples:
    """Read the examples of a file.

    Args:
        path: the file.
        kind: `words`: a word and its label a line, the first and the last of its columns, an empty line
            after each sentence (CoNLL); columns are separated by tabs, or in a line without any by spaces;
            `entities`: the same, see `seggrid.language_model.entities`;
            `sentences`: `label<TAB>text`; `sentence_pairs`: `label<TAB>text<TAB>text`.

    Raises:
        InputError: a line is not of the format, or there is no example.
    """
    lines = read_lines(path)
    for number, line in enumerate(lines, 1):
        check_characters(line, path, number)
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
            if kind == "entities" and not is_entity_label(label):
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
                f"not {columns}, tabs between",
                file=path,
                line=number,
                hint=f"{1 + parts} columns, none of them empty",
            )
        examples.labels.append(label)
        for column, words in zip(examples.texts, texts, strict=True):
            column.append(words)
    return examples
