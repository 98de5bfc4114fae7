"""BPE-knockout implemented a second time, slowly and differently, from its definitions."""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from itertools import accumulate, pairwise

from tokenizers.pre_tokenizers import ByteLevel

Merge = tuple[str, ...]


# CELEX


def parse(text: str):
    """A tree as nested tuples: (tag, text) or (tag, [children])."""
    node, rest = _node(text)
    assert not rest
    return node


def _node(text):
    assert text[0] == "("
    text = text[1:]
    if text[0] == "(":
        inside = []
        while True:
            child, text = _node(text)
            inside.append(child)
            if text[0] != ",":
                break
            text = text[1:]
    else:
        end = text.index(")")
        inside, text = text[:end], text[end:]
    assert text[:2] == ")["
    end = text.index("]")
    return (text[2:end], inside), text[end + 1 :]


def leaves(node) -> list[str]:
    inside = node[1]
    return (
        [inside]
        if isinstance(inside, str)
        else [leaf for child in inside for leaf in leaves(child)]
    )


def fold(text: str) -> str:
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return unicodedata.normalize("NFKC", text).lower()


def align(word: str, morphemes: list[str]) -> list[tuple[int, int]]:
    """(start, end) of each morpheme's matched characters; start == end if it matches none.

    Each state takes the maximum over its sources of (score, -source, morpheme move).
    """
    n, m = len(word), len(morphemes)
    best = {}
    for x in range(n + 1):
        for y in range(m + 1):
            moves = [(0, 0, 2, None)] if x == 0 else []
            for source in range(x + 1):
                if y and source < n and (source, y - 1) in best:
                    length = x - source
                    if morphemes[y - 1].startswith(word[source:x]):
                        moves.append((best[source, y - 1][0] + length, -source, 1, (source, y - 1)))
                may_skip = source < x and (y < m or x == n)
                if may_skip and (source, y) in best:
                    moves.append((best[source, y][0], -source, 0, (source, y)))
            if x == 0:
                best[x, y] = moves[0]
            elif moves:
                best[x, y] = max(moves, key=lambda move: move[:3])
    state = (n, max((best[n, y][0], y) for y in range(m + 1) if (n, y) in best)[1])
    spans = [(0, 0)] * m
    while best[state][3] is not None:
        source = best[state][3]
        if source[1] < state[1]:
            spans[source[1]] = (source[0], state[0])
        state = source
    return spans


def celex_pieces(lemma: str, analysis: str) -> tuple[list[str], list[str]]:
    """The morphemes and the whole-word parts of a lemma whose folding keeps its length."""
    tree = parse(analysis)
    spans = align(fold(lemma), [fold(leaf) for leaf in leaves(tree)])
    starts = sorted({start for start, end in spans if start < end and start > 0})
    bounds = [0, *starts, len(lemma)]
    pieces = [lemma[i:j] for i, j in pairwise(bounds)]
    morphemic = []
    for k, piece in enumerate(pieces):
        if piece.endswith("-") and len(piece) > 1 and k + 1 < len(pieces):
            morphemic += [piece[:-1], "-"]
        else:
            morphemic.append(piece)
    texts = [""] * len(spans)
    matched = [k for k, (start, end) in enumerate(spans) if start < end]
    for k, following in zip(matched, [*matched, None][1:], strict=False):
        start = 0 if k == matched[0] else spans[k][0]
        texts[k] = lemma[start : len(lemma) if following is None else spans[following][0]]
    if not matched:
        texts[0] = lemma
    marked = _words(tree, iter(texts))
    return morphemic, [piece for piece in marked.split("|") if piece]


def _words(node, texts) -> str:
    """The text of a node with a bar at each boundary between whole words."""
    _, inside = node
    if isinstance(inside, str):
        return next(texts)
    prefix = ["|." in tag or tag == "P" for tag, _ in inside]
    suffix = [tag.endswith(".") for tag, _ in inside]
    interfix = [
        "." in t and not p and not s for (t, _), p, s in zip(inside, prefix, suffix, strict=True)
    ]
    size = len(inside)
    promoted = [suffix[i] or (interfix[i] and i + 1 < size and suffix[i + 1]) for i in range(size)]
    result = ""
    for i, child in enumerate(inside):
        text = _words(child, texts)
        if (i and prefix[i - 1]) or (i + 1 < size and promoted[i + 1]):
            result += text.replace("|", "")
        else:
            left = "|" if i and not promoted[i] else ""
            right = "|" if i + 1 < size and not prefix[i] else ""
            result += left + text + right
    return result


def cuts(pieces: list[str]) -> list[int]:
    ends = []
    for piece in pieces[:-1]:
        ends.append((ends[-1] if ends else 0) + len(piece))
    return ends


# merges


def replay(symbols: list[str], merges: list[Merge]) -> tuple[list[str], dict[int, int]]:
    """Apply merges in order; return the tokens, and for each symbol the merge that deleted the boundary
    before it."""
    tokens = [(symbol, i) for i, symbol in enumerate(symbols)]
    deleted = {}
    for number, merge in enumerate(merges):
        i = 0
        while i + len(merge) <= len(tokens):
            window = tokens[i : i + len(merge)]
            if tuple(text for text, _ in window) == merge:
                deleted.update((start, number) for _, start in window[1:])
                tokens[i : i + len(merge)] = [("".join(merge), window[0][1])]
            i += 1
    return [text for text, _ in tokens], deleted


def knock_out(merges: list[Merge], gone: list[int]) -> list[Merge]:
    """Algorithm 1, one merge after the other, in the given order."""
    table = dict(enumerate(merges))
    for number in gone:
        parts = table.pop(number)
        product = "".join(parts)
        for other, merge in table.items():
            table[other] = tuple(q for p in merge for q in (parts if p == product else (p,)))
    return [table[number] for number in sorted(table)]


# byte-level

_SPLIT = ByteLevel(add_prefix_space=False, use_regex=True)


def tokenize(word: str, merges: list[Merge]) -> tuple[list[str], list[tuple[int, int]]]:
    """The tokens of a word, and (byte of the word, merge) for each boundary deleted; -1: none."""
    tokens = []
    deleted = []
    at = -1  # the marker stands before the word's first byte
    for pretoken, _ in _SPLIT.pre_tokenize_str(" " + word):
        parts, by = replay(list(pretoken), merges)
        tokens += parts
        deleted += [(at + i, merge) for i, merge in by.items()]
        at += len(pretoken)
    return tokens, deleted


def byte_cuts(word: str, positions: list[int]) -> set[int]:
    return {len(word[:p].encode()) for p in positions}


def predicted_cuts(word: str, tokens: list[str]) -> list[int]:
    """Cuts in characters: before each token that begins a character of the word, but the first."""
    places = {len(word[:p].encode()): p for p in range(1, len(word))}
    # The marker is a symbol of its own, each other symbol a byte.
    begins = accumulate(map(len, tokens[:-1]), initial=0)
    return [places[begin - 1] for begin in begins if begin - 1 in places]


def blame(entries: list[tuple[str, list[int]]], merges: list[Merge]) -> tuple[list[int], list[int]]:
    applied, blamed = [0] * len(merges), [0] * len(merges)
    for word, positions in entries:
        wrong = byte_cuts(word, positions)
        for at, merge in tokenize(word, merges)[1]:
            applied[merge] += 1
            blamed[merge] += at in wrong
    return applied, blamed


def chosen(applied: list[int], blamed: list[int], threshold: Fraction) -> list[int]:
    return [
        m
        for m, (n, b) in enumerate(zip(applied, blamed, strict=True))
        if n and Fraction(b, n) >= threshold
    ]
