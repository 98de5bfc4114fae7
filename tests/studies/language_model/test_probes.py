import json

import model_twins
import numpy as np
import pytest
from trainings import arguments

from seggrid.base.errors import InputError
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel
from seggrid.studies.language_model.probes import (
    TIE,
    credits,
    read_items,
    word_identity,
    word_order,
)
from seggrid.studies.language_model.scores import ProbeScores, read_model_scores
from seggrid.studies.language_model.tables import probe_table
from seggrid.studies.language_model.text import split
from seggrid.studies.language_model.vocabulary import read_vocabulary

ITEMS = "We [MASK] the house .\tsee\tbuild a\tsquash\nIt is the [MASK] .\tfestival\ta §\n"


def test_a_sentence_in_which_nothing_qualifies_has_no_item():
    assert word_order([], [["One", "word", "."], ["a", "b", "b", "b"], [], ["x"]]) == []
    assert word_identity([["a", "b"]] * 9, [["a", "b"], []]) == [(("a", "b"), ("a", "a"))]
    assert word_identity([["a", "b"]] * 4, [["a", "b"]]) == []


def test_places_and_words_take_turns():
    """Sentence k has its pair or word k mod m, and word k mod n of those that are as frequent and as long."""
    words = ["A", "b", "c", "d"]
    assert [item[1] for item in word_order([], [words] * 3)] == [
        ("A", "c", "b", "d"), ("A", "b", "d", "c"), ("A", "c", "b", "d"),
    ]  # fmt: skip
    train = [["x", "y", "z", "long"]] * 5
    found = word_identity(train, [["A", "x", "long", "y"]] * 4)
    assert [item[1][1::2] for item in found] == [("y", "y"), ("x", "z"), ("y", "y"), ("x", "z")]


def test_credits_are_those_of_the_definition():
    generator = np.random.default_rng(1)
    counts = generator.integers(1, 6, size=300)
    # Few distinct values, so that many are equal, and noise below that of rounding.
    pll = generator.integers(-4, 0, size=counts.sum()) + generator.uniform(0, TIE / 3, counts.sum())
    expected = model_twins.credits(pll, counts, TIE)
    assert credits(pll, counts) == pytest.approx(expected)
    assert len(set(expected)) > 4
    assert credits(np.empty(0), []).shape == (0,)


def test_a_model_that_cannot_tell_candidates_apart_scores_the_chance_level():
    counts = np.array([2, 3, 4, 5, 2])
    own = ProbeScores(credits(np.full(counts.sum(), -7.5), counts), counts, 0 * counts)
    assert own.accuracy == pytest.approx(own.chance)
    assert probe_table({("m", "p"): own}, rounds=500, seed=1)["verdict"].tolist() == ["not shown"]


def test_a_row_says_what_was_measured():
    right = np.array([1.0] * 90 + [0.0] * 10)
    own = ProbeScores(right, np.full(100, 4), np.array([2] + [0] * 99))
    (row,) = probe_table({("bpe", "cloze"): own}, rounds=300, seed=1).to_dict("records")
    assert (row["model"], row["probe"], row["items"], row["chance"]) == ("bpe", "cloze", 100, 0.25)
    assert row["accuracy_low"] < row["accuracy"] == 0.9 < row["accuracy_high"]
    assert (row["verdict"], row["unknown"]) == ("above chance", 0.01)
    wrong = probe_table(
        {("a", "b"): ProbeScores(1 - right, own.candidates, own.unknown)}, rounds=300, seed=1
    )
    assert wrong["verdict"].tolist() == ["below chance"]


def test_items_of_a_file_are_sentences_with_each_candidate(tmp_path):
    (tmp_path / "items.tsv").write_text(ITEMS, encoding="utf-8")
    first, second = read_items(tmp_path / "items.tsv")
    assert list(map(" ".join, first[:2])) == ["We see the house .", "We build a the house ."]
    assert list(map(" ".join, second)) == ["It is the festival .", "It is the a § ."]
    # Words are separated as in a text: by spaces alone.
    (tmp_path / "items.tsv").write_text("the\u00a0old [MASK]s .\tman\tmen\u3000a\n", "utf-8")
    assert read_items(tmp_path / "items.tsv") == [
        (("the\u00a0old", "mans", "."), ("the\u00a0old", "men\u3000as", "."))
    ]


def olmpics(**changes):
    """An item in the JSON of oLMpics, whose answer may stand anywhere."""
    choices = [{"label": label, "text": text} for label, text in (("A", "never"), ("B", "always"))]
    item = {"stem": "A hen [MASK] has horns .", "choices": choices, **changes}
    return json.dumps({"id": "7", "question": item, "answerKey": "B"})


def test_items_of_olmpics_are_read_as_they_are_published(tmp_path):
    (tmp_path / "items.jsonl").write_text(olmpics() + "\n" + ITEMS, encoding="utf-8")
    first, *others = read_items(tmp_path / "items.jsonl")
    assert list(map(" ".join, first)) == ["A hen always has horns .", "A hen never has horns ."]
    assert len(others) == 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (olmpics(stem="No gap ."), "'No gap .' has [MASK] 0 times"),
        (olmpics(stem="a\tb [MASK]"), "not an item of oLMpics"),
        (olmpics(choices=[{"label": "A", "text": "a"}]), "not an item of oLMpics"),
        (olmpics(choices=[{"label": "B", "text": "a"}] * 2), "not an item of oLMpics"),
        (olmpics()[:-1], "not an item of oLMpics"),
        ("[MASK] and [MASK] .\ta\tb", "has [MASK] 2 times"),
        ("One [MASK] .\ta", "not a sentence, its answer and at least one other candidate"),
        ("", "'' has [MASK] 0 times"),
        ("One [MASK] .\ta\tb\ta ", "a candidate is given twice"),
        ("One [MASK] ▁x .\ta\tb", "the character U+2581 (remove it)"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path, line, told):
    (tmp_path / "items.tsv").write_text(
        "One [MASK] .\ta\tb\n" + line + "\nx [MASK]\ta\tb\n", encoding="utf-8"
    )
    with pytest.raises(InputError) as error:
        read_items(tmp_path / "items.tsv")
    assert "items.tsv:2: " in str(error.value)
    assert told in str(error.value)


@pytest.fixture(scope="module")
def slow(slow_pll, trained, text):
    """The credit of items, one sentence and one mask at a time by transformers."""
    vocabulary, merges = read_vocabulary(trained / "types.txt"), BPEModel.read(text / "eng.model")

    def answer(items):
        sentences = [sentence for item in items for sentence in item]
        values = [slow_pll(vocabulary.encode(apply(merges, [words]))) for words in sentences]
        return model_twins.credits(values, list(map(len, items)), TIE)

    return answer


def test_items_of_a_file_are_answered_as_with_one_mask_at_a_time(
    slow, trained, text, script, tmp_path
):
    (tmp_path / "items.tsv").write_text(ITEMS, encoding="utf-8")
    output = tmp_path / "p.npz"
    probing = arguments(text, output, language_model=trained, items=tmp_path / "items.tsv")
    script("language_model_probes", *probing)
    scores = read_model_scores(output, ProbeScores)
    assert scores.credits.tolist() == slow(read_items(tmp_path / "items.tsv"))
    assert scores.candidates.tolist() == [3, 2]
    assert scores.unknown.tolist() == [0, 1], "§ does not occur in the training text"
    content = output.read_bytes()
    script("language_model_probes", *probing, "--every=0")
    assert output.read_bytes() == content, "the same bytes"
    assert not (tmp_path / "p.npz.progress").exists()
    names = json.dumps([["bpe", "cloze"]])
    table = tmp_path / "probes.csv"
    script(
        "language_model_probe_table",
        *("--scores", output, f"--names={names}", "--resamples=200", "--seed=1"),
        f"--output={table}",
    )
    header, row = table.read_text().splitlines()
    assert header.startswith("model,probe,items,chance,accuracy,accuracy_low,")
    assert row.startswith("bpe,cloze,2,0.41666")


@pytest.mark.parametrize("make", [word_order, word_identity])
def test_items_of_the_text_are_made_of_the_held_out_sentences(
    slow, trained, text, english, script, tmp_path, make
):
    train, test = split(list(map(tuple, english)), 10)
    items = make([english[i] for i in train], [english[i] for i in test])
    output = tmp_path / "p.npz"
    probing = arguments(text, output, language_model=trained, make=make.__name__)
    script("language_model_probes", *probing)
    scores = read_model_scores(output, ProbeScores)
    assert scores.credits.tolist() == slow(items)
    assert scores.candidates.tolist() == [2] * len(items)
