"""workflow/scripts/fast_align.py as a user calls it."""

import pytest

SOURCE = "the cat\nthe dog\nthe house\n"
TARGET = "die Katze\nder Hund\ndas Haus\n"


@pytest.fixture
def call(script, tmp_path):
    """Run the script in a folder with just the given files; return the finished process."""

    def run(*arguments, source=SOURCE, target=TARGET):
        for name, text in (("source", source), ("target", target)):
            (tmp_path / name).write_text(text, encoding="utf-8")
        files = ["--source", "source", "--target", "target"]
        outputs = ["--forward", "forward", "--reverse", "reverse"]
        return script("fast_align", tmp_path, *files, *outputs, *arguments, check=False)

    return run


def test_everything_that_it_writes(call, tmp_path):
    done = call(
        *(
            "--symmetrized",
            "both",
            "--heuristic",
            "union",
            "--scores",
            "scores",
            "--table",
            "table",
        ),
        *("--save-model", "model.npz", "--threads", "2"),
    )
    assert done.returncode == 0, done.stderr
    lines = {
        path.name: path.read_text().splitlines() for path in tmp_path.iterdir() if not path.suffix
    }
    assert lines["forward"] == lines["reverse"] == lines["both"] == ["0-0 1-1"] * 3
    assert [len(line.split("\t")) for line in lines["scores"]] == [2] * 3
    assert all(float(score) < 0 for line in lines["scores"] for score in line.split("\t"))
    assert {line.split("\t")[0] for line in lines["table"]} == {"the", "cat", "dog", "house"}
    scores = lines["scores"]
    done = call("--model", "model.npz", "--scores", "scores")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "scores").read_text().splitlines() == scores


def test_forward_links_are_in_target_order(call, tmp_path):
    call("--iterations", "1", source="a b\n", target="x\n")
    assert (tmp_path / "forward").read_text() == "1-0\n"
    done = call("--no-null", source="a b\na\nb\n", target="y x\nx\ny\n")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "forward").read_text().splitlines()[0] == "1-0 0-1"
    assert (tmp_path / "reverse").read_text().splitlines()[0] == "0-1 1-0"


@pytest.mark.parametrize(
    ("changed", "arguments", "message"),
    [
        ({"source": "the cat\n\nthe house\n"}, [], "error: source:2: an empty sentence"),
        ({"target": "die Katze\nder Hund\n \n"}, [], "error: target:3: an empty sentence"),
        ({"target": "die Katze\n"}, [], "error: target: 1 lines, but source has 3"),
        ({"source": ""}, [], "error: source: an empty file"),
        ({"source": "the cat\na ||| b\nthe house\n"}, [], "error: source:2: ||| in the text"),
        ({"source": "the cat\na\tb\nthe house\n"}, [], "error: source:2: a tab"),
        (
            {"source": "the cat\na\u2028b\nthe house\n"},
            [],
            "error: source:2: the control character",
        ),
        ({}, ["--p0", "2"], "error: p0: 2.0 is out of range"),
        ({}, ["--threads", "0"], "error: threads is 0"),
        ({}, ["--model", "missing.npz"], "error: missing.npz: no such file"),
    ],
)
def test_readable_errors(call, tmp_path, changed, arguments, message):
    done = call(*arguments, **changed)
    assert done.returncode == 1
    assert done.stderr.startswith(message)
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "forward").exists()


def test_an_output_that_cannot_be_written_is_told_in_a_line(call):
    done = call("--scores", "source/scores")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "error: source/scores: cannot be written: File exists"
    assert "Traceback" not in done.stderr


def test_tokens_of_a_segmenter_may_have_marks_of_word_boundaries(call, tmp_path):
    done = call(source="▁the ▁c at\n▁the ▁d og\n▁the ▁house\n")
    assert done.returncode == 0, done.stderr
