"""No value of a config is run by a shell or taken for an option."""

import random
import re

from snake import rule_files

NASTY = """-t $(touch ran) `touch ran`; touch ran & "it's" | *.txt"""


def write_files(folder):
    draw = random.Random(1)
    words = ["".join(draw.choices("abcd", k=4)) for _ in range(30)]
    lines = [" ".join(draw.choices(words, k=5)) for _ in range(40)]
    text = "\n".join(lines) + "\n"
    (folder / f"{NASTY} text").write_text(text)
    (folder / f"{NASTY} gold").write_text("0-0 1-1 2-2 3-3 4-4\n" * 40)
    halves = "".join(f"{word}\t{word[:2]} {word[2:]}\n" for word in sorted(set(words)))
    (folder / f"{NASTY} morphemes").write_text(halves)
    counts = "".join(f"{word}\t3\n" for word in sorted(set(words)))
    (folder / f"{NASTY} counts").write_text(counts)


def make_config():
    side = {"language": NASTY, "text": f"{NASTY} text"}
    reference = {"file": f"{NASTY} morphemes"}
    return {
        "pairs": {
            "p": {
                "source": {**side, "morphemes": reference},
                "target": side,
                "gold": {"file": f"{NASTY} gold"},
            }
        },
        "learn_merges": 20,
        "experiments": {"x": {"merges": 10, "knockout": ["none", "blame-0.5"], "sides": "source"}},
        "morphology": {
            "m": {
                "reference": {**reference, "format": "surface", "frequencies": f"{NASTY} counts"},
                "learned": {"pair": "p", "side": "source", "merges": 10},
                "knockout": ["none", "blame-0.5"],
                "evaluation": ["full", "holdout-0.5"],
                "dropout": [0.1],
                "repeats": 1,
            }
        },
        "report": {"title": NASTY + " {x}", "resamples": 100},
    }


def test_names_of_files_and_titles_are_taken_literally(snakemake, tmp_path):
    write_files(tmp_path)
    snakemake(tmp_path, make_config(), "--cores", "2")
    assert not (tmp_path / "ran").exists()
    assert "touch ran" in (tmp_path / "results/report.html").read_text()


def test_every_value_in_a_command_is_quoted(root):
    for file in rule_files():
        text = file.read_text()
        text = re.sub(r'f".*"', "", text)
        used = re.findall(r"\{((?:params|input|output|wildcards|log)\b[^{}]*)\}", text)
        assert all(value.endswith(":q") for value in used), (file, used)
