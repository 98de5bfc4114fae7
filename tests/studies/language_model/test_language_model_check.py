"""Files of language models are checked before any job."""

import pytest

from seggrid.base.errors import InputErrors
from seggrid.grid.grid import Grid
from seggrid.grid.rules.check import check_sources
from seggrid.studies.language_model.text import read_training_text

NER = {"kind": "words", "train": "train", "test": "test"}


@pytest.fixture
def remarks(tmp_path, monkeypatch):
    """Check the model `m`, and models that continue it, with changed keys. Files are given by their texts."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).write_text("".join(f"{name} {line}\n" for line in range(20)))
    (tmp_path / "gold").write_text("0-0\n" * 20)

    def check(files=(), more=None, pair=(), **own):
        for name, content in dict(files).items():
            (tmp_path / name).write_text(content, "utf-8")
        models = {"m": {"pair": "p", "segmentation": {"merges": 5}, "steps": 1, "test": 5} | own}
        models |= {"n": {"continues": "m", "steps": 1} | more} if more else {}
        sides = {side: {"text": name} for side, name in (("source", "a"), ("target", "b"))}
        config = {
            "pairs": {"p": {**sides, "gold": {"file": "gold"}} | dict(pair)},
            "experiments": {"words": {"segmenter": "words"}},
            "language_models": models,
        }
        return check_sources(Grid(config), deployed=True)

    return check


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"text": "t", "files": {"t": "a\tb\n"}}, "t:1: a tab in a text of plain lines"),
        ({"text": "t", "format": "tsv", "files": {"t": "a b\n"}}, "t:1: "),
        ({"text": "t", "files": {"t": "a b\n" * 200}}, "t: a text of 200 sentences has none to train on"),
        ({"tasks": {"ner": NER}, "files": {"train": "a\tX\n", "test": "a\tX\n"}},
         "test: language_models.m.tasks.ner: the test file is the training file (name another file)"),
        ({"tasks": {"ner": NER}, "files": {"train": "a\tpos\n", "test": "a\tpositive\n"}},
         "test: language_models.m.tasks.ner: only labels that do not occur in training"),
        ({"probes": {"cloze": {"file": "c"}}, "files": {"c": "He goes .\tgoes\tgo\n"}},
         "c:1: 'He goes .' has [MASK] 0 times"),
        ({"tasks": {"t": {**NER, "kind": "sentences"}}, "files": {"train": "a b\n", "test": "a\tb\n"}},
         "train:1: not a label without spaces and a text"),
        ({"more": {"text": "t"}, "files": {"t": "".join(f"a {line}\n" for line in range(20))}},
         "t: the text of n is that of m, which it continues"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_line(remarks, settings, told):
    with pytest.raises(InputErrors) as error:
        remarks(**settings)
    (line,) = str(error.value).splitlines()
    assert told in line


def test_labels_that_only_the_test_has_are_remarked_on(remarks):
    files = {"train": "a\tX\n", "test": "a\tX\nb\tY\n"}
    (remark,) = remarks(files, tasks={"ner": NER})
    assert remark.endswith("labels that do not occur in training, so that none is predicted: Y")


def test_empty_lines_between_documents_are_left_out(remarks, tmp_path):
    files = {"t": "a b\n\n" + "".join(f"c {line}\n" for line in range(9)) + "\n"}
    assert remarks(files, text="t") == []
    assert read_training_text(tmp_path / "t", "lines")[:2] == [["a", "b"], ["c", "0"]]


def test_the_training_text_of_a_pair_counts(remarks):
    """A small text with gold beside a large one without is the usual layout."""
    files = {"c": "".join(f"c {line}\n" for line in range(90)), "d": "d\n" * 90}
    sides = {"source": {"text": "a", "training": "c"}, "target": {"text": "b", "training": "d"}}
    assert remarks(files, pair=sides, test=60) == []


def test_the_other_side_of_a_file_of_both_is_another_text(remarks):
    files = {"both": "".join(f"a {line} ||| b {line}\n" for line in range(20))}
    assert remarks(files, pair=BARS, more={"side": "target"}) == []


BARS = {
    "text": "both",
    "format": "bars",
    "source": {"language": "English"},
    "target": {"language": "German"},
}
