"""Probes: multiple-choice items that a masked language model answers without being trained for them.

As in oLMpics (Talmor et al. 2020), a sentence has a gap, and the model chooses among candidates. oLMpics
compares probabilities of single tokens, so each candidate must be one token. Here each candidate is inserted,
and the pseudo-log-likelihoods of the whole sentences are compared, as in Salazar et al. (2020) for pairs of
sentences. So a segmentation may split candidates into several tokens.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.base.json_file import parse_json
from seggrid.base.lines import UNSEEN, parse_lines, read_lines
from seggrid.text.boundary import BOUNDARY
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Sentences
from seggrid.text.text_files import words_of

GAP = "[MASK]"
"""The gap in a sentence, into which candidates are inserted."""

TIE = 1e-4
"""Candidates whose log-likelihoods differ by less, in nats, count as equally likely, because of rounding."""

LEAST_COUNT = 5
"""Words that occur less often in the training text are not used in `word_identity`."""

Item = tuple[tuple[str, ...], ...]
"""For each candidate, the words of the sentence with the candidate inserted; the first candidate is right."""

_REFUSED = re.compile(f"[{UNSEEN}{BOUNDARY}]")


def read_items(path: str | Path) -> list[Item]:
    """Read items as lines `sentence<TAB>answer<TAB>other<TAB>…`, or as lines of oLMpics's JSON; the sentence
    has `GAP` once, and no candidate is given twice. Words are separated by spaces, as in a text."""
    lines = enumerate(read_lines(path, hint="write one item per line"), 1)
    return [item for _, item in parse_lines(path, lines, _item)]


def _item(line: str) -> Item:
    stem, *candidates = parts = _of_olmpics(line) if line.startswith("{") else line.split("\t")
    check_characters(" ".join(parts))
    if stem.count(GAP) != 1:
        hint = f"write {GAP} once, where the candidates are inserted"
        raise InputError(f"{stem!r} has {GAP} {stem.count(GAP)} times", hint=hint)
    if len(candidates) < 2 or not all(map(words_of, candidates)):
        raise InputError(
            "not a sentence, its answer and at least one other candidate, separated by tabs",
            hint=r"such as: a cat is [MASK] than a mouse\tlarger\tsmaller",
        )
    if len({tuple(words_of(candidate)) for candidate in candidates}) < len(candidates):
        raise InputError("a candidate is given twice", hint="leave one of them out")
    return tuple(tuple(words_of(stem.replace(GAP, other))) for other in candidates)


def _of_olmpics(line: str) -> list[str]:
    """The sentence, the answer and the other candidates of an item in oLMpics's JSON."""
    try:
        item = parse_json(line, "")
        question = item["question"]
        texts = {choice["label"]: choice["text"] for choice in question["choices"]}
        parts = [question["stem"], texts.pop(item["answerKey"]), *texts.values()]
        if len(parts) <= len(question["choices"]) or "\t" in "".join(parts):
            raise ValueError
        return parts
    except (LookupError, TypeError, ValueError):
        raise InputError(
            "not an item of oLMpics",
            hint='{"question": {"stem": …, "choices": [{"label": …, "text": …}, …]}, "answerKey": …}',
        ) from None


def check_characters(line: str) -> None:
    """Refuse a line with invisible characters, or with the `▁` that marks word boundaries."""
    if found := _REFUSED.search(line):
        raise InputError(f"the character U+{ord(found[0]):04X}", hint="remove it")


def word_order(train: Sentences, test: Sentences) -> list[Item]:
    """Each held-out sentence against the same sentence with two adjacent words swapped; the training
    sentences are not used.

    The two words differ, have a letter each, and neither begins the sentence. If m pairs of words qualify in
    sentence number k, counted from 0, pair number k mod m is swapped; without one, there is no item. Both
    sentences have the same words; the chance level is 1/2.

    >>> word_order([], [["We", "saw", "old", "ships", "."]])
    [(('We', 'saw', 'old', 'ships', '.'), ('We', 'old', 'saw', 'ships', '.'))]
    """
    items: list[Item] = []
    for number, words in enumerate(test):
        places = [
            at
            for at in range(1, len(words) - 1)
            if words[at] != words[at + 1] and _has_letter(words[at]) and _has_letter(words[at + 1])
        ]
        if places:
            at = places[number % len(places)]
            swapped = (*words[:at], words[at + 1], words[at], *words[at + 2 :])
            items.append((tuple(words), swapped))
    return items


def word_identity(train: Sentences, test: Sentences) -> list[Item]:
    """Each held-out sentence against the same sentence with one word replaced by another of equal frequency.

    The other word occurs equally often in the training text, at least `LEAST_COUNT` times, and is equally
    long, so neither frequency nor length tells which word is right. The replaced word has a letter and does
    not begin the sentence. If m words qualify in sentence number k, counted from 0, word number k mod m is
    replaced; if n words could replace it, number k mod n of these is taken, in the order of code points. The
    chance level is 1/2.
    """
    counts = Counter(word for words in train for word in words)
    alike: dict[tuple[int, int], list[str]] = defaultdict(list)
    for word in sorted(counts):
        if counts[word] >= LEAST_COUNT and _has_letter(word):
            alike[counts[word], len(word)].append(word)
    items: list[Item] = []
    for number, words in enumerate(test):
        groups = {
            at: alike.get((counts[words[at]], len(words[at])), []) for at in range(1, len(words))
        }
        places = [at for at, group in groups.items() if words[at] in group and len(group) > 1]
        if places:
            at = places[number % len(places)]
            others = [word for word in groups[at] if word != words[at]]
            replaced = (*words[:at], others[number % len(others)], *words[at + 1 :])
            items.append((tuple(words), replaced))
    return items


MADE: dict[str, Callable[[Sentences, Sentences], list[Item]]] = {
    "word_order": word_order,
    "word_identity": word_identity,
}
"""The probes that are made from the text: (training sentences, held-out sentences) -> items."""


def credits(pll: NDArray[np.floating], counts: Sequence[int]) -> NDArray[np.float64]:
    """The credit for each item, shape (I,): 1 if the right candidate is the likeliest, 1/k if it and k - 1
    others are equally likely and none is likelier, otherwise 0. `pll` are of the sentences with each
    candidate, one item after another; `counts` are numbers of candidates.

    >>> credits(np.array([-3.0, -4.0, -9.0, -2.0, -5.0, -5.0]), [2, 2, 2]).tolist()
    [1.0, 0.0, 0.5]
    """
    starts = offsets_of(counts)[:-1]
    winners = pll >= np.repeat(np.maximum.reduceat(pll, starts), counts) - TIE
    return np.asarray(winners[starts] / np.add.reduceat(winners, starts))


def _has_letter(word: str) -> bool:
    return any(character.isalpha() for character in word)
