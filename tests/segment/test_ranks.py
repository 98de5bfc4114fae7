"""Ranks of tiktoken: read, written, and applied as tiktoken does."""

import base64
import json
from itertools import pairwise

import numpy as np
import pytest
import regex
from tokenizers import AddedToken, Tokenizer

import builtin_pair
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.segment.formats.ranks import (
    PATTERNS,
    parse_ranks,
    ranks_of_tokenizer,
    tokenizer_of_ranks,
)
from seggrid.segment.formats.tokenizer_json import parse_tokenizer
from seggrid.segment.model_file import kind_of
from tokenizer_kinds import trained_on_bytes

TEXT = [
    *map(" ".join, builtin_pair.words_of("deu")[:300]),
    "don't  I'll   x  naïve 12345 日本語 a\u00a0b (sic)... aaaaaaa",
]


def trained(**options):
    return trained_on_bytes(TEXT, 700, **options)


def by_ranks(ranks, pattern, text):
    """Cut text as tiktoken does: join the first two tokens that make the type of the lowest rank."""
    ids = []
    for piece in regex.findall(pattern, text):
        parts = [bytes([byte]) for byte in piece.encode()]
        while len(parts) > 1 and piece.encode() not in ranks:
            joined = [a + b for a, b in pairwise(parts)]
            rank, at = min((ranks.get(one, np.inf), at) for at, one in enumerate(joined))
            if rank == np.inf:
                break
            parts[at : at + 2] = [joined[at]]
        ids += [ranks[piece.encode()]] if piece.encode() in ranks else [ranks[p] for p in parts]
    return ids


def ranks_of(tokenizer):
    model = parse_tokenizer(json.loads(tokenizer.to_str()), "t.json")
    return ranks_of_tokenizer(model, "t.json")


def lines_of(ranks):
    return [f"{base64.b64encode(text).decode()} {id}" for text, id in ranks.items()]


def test_a_tokenizer_as_ranks_cuts_alike():
    tokenizer = trained()
    ranks, told = ranks_of(tokenizer)
    assert len(ranks) == 700
    assert told == f"pat_str is {PATTERNS['gpt2']}"
    for line in TEXT:
        assert by_ranks(ranks, PATTERNS["gpt2"], line) == tokenizer.encode(line).ids


@pytest.mark.parametrize("pattern", PATTERNS)
def test_ranks_as_a_tokenizer_cut_alike(pattern):
    ranks, _ = ranks_of(trained())
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_of_ranks(ranks, pattern)))
    for line in TEXT:
        assert tokenizer.encode(line).ids == by_ranks(ranks, PATTERNS[pattern], line)


def test_from_file_to_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tokenizer = trained()
    tokenizer.save("t.json")
    assert main(["convert", "t.json", "--to", "tiktoken", "-o", "mine.tiktoken"]) == 0
    assert "pat_str is" in capsys.readouterr().err
    content = (tmp_path / "mine.tiktoken").read_text()
    assert kind_of(content) == "ranks"
    assert kind_of("t h 900\n") == "merges"
    ranks = parse_ranks(content.splitlines(), "mine.tiktoken")
    assert lines_of(ranks) == content.splitlines()
    back = ["convert", "mine.tiktoken", "--to", "tokenizer", "-o"]
    assert main([*back, "again.json", "--pattern", "gpt2"]) == 0
    again = Tokenizer.from_file("again.json")
    assert [again.encode(line).ids for line in TEXT] == [
        tokenizer.encode(line).ids for line in TEXT
    ]
    assert main([*back, "x.json"]) == 2
    assert "do not say by which expression" in capsys.readouterr().err


def test_special_types_are_told_apart_and_others_refused():
    special = trained(special_tokens=["<s>"])
    ranks, _ = ranks_of(special)
    assert b"<s>" not in ranks
    assert ranks[b"!"] == 1
    special.add_tokens([AddedToken("Haus")])
    with pytest.raises(InputError, match="added tokens that are not special"):
        ranks_of(special)


@pytest.mark.parametrize(
    ("merges", "message"),
    [
        ([["a", "b"], ["b", "c"], ["a", "bc"]], "'abc', which its bytes do not become"),
        ([["ab", "c"], ["a", "b"]], "'ab c', which ranks cannot say"),
        ([["a", "b", "c"]], "'a b c', which ranks cannot say"),
    ],
)
def test_merges_that_ranks_cannot_say(merges, message):
    content = json.loads(trained().to_str())
    vocabulary = {text: id for text, id in content["model"]["vocab"].items() if id < 256}
    for merge in merges:
        vocabulary["".join(merge)] = len(vocabulary)
    content["model"] |= {"vocab": vocabulary, "merges": merges}
    with pytest.raises(InputError, match=message):
        ranks_of_tokenizer(parse_tokenizer(content, "t.json"), "t.json")


BYTES = lines_of({bytes([byte]): byte for byte in range(256)})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (BYTES[:255], "no type for the byte 0xff"),
        ([*BYTES, "YWI= 255"], ":257: a type or an id again"),
        ([*BYTES, "YQ== 256"], ":257: a type or an id again"),
        ([*BYTES, "YW 256"], ":257: not a type and its id"),
        ([*BYTES, "YWI= x"], ":257: not a type and its id"),
    ],
)
def test_a_damaged_file_of_ranks(lines, message):
    with pytest.raises(InputError, match=message):
        parse_ranks(lines, "ranks")
