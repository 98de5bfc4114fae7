"""Options that the segmenter, or the kind of text, does not read are refused, not ignored."""

import argparse

import pytest

from seggrid.cli import VERBS, Once, main, parser_of


@pytest.fixture
def folder(builtin):
    return builtin(20, merges=30)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("segment eng -m model --sampling alpha-0.1", "--sampling: bpe would ignore it (leave it"),
        ("segment eng --segmenter words --dropout 0.5", "--dropout: words would ignore it (leave"),
        ("segment eng --segmenter words --merges 5", "--merges: words would ignore it (leave it"),
        ("measure eng -m model --longest-segment 5", "--longest-segment: bpe would ignore it"),
        ("learn eng --segmenter unigram --scoring likelihood -o m", "--scoring: unigram would"),
        ("learn eng --least-count 3 -o m", "--least-count is for raw text (leave it out, or add"),
        (
            "learn eng --raw --segmenter byte_bpe --merges 9 --marking end -o m",
            "--marking with byte_bpe (only bpe reads it)",
        ),
        ("learn eng --script LATIN -o m", "--script is for raw text (leave it out, or add --raw)"),
        (
            "learn eng --raw --segmenter byte_bpe --vocabulary 300 --script KLINGON -o m",
            "--script KLINGON: no letter is of it (give the first word of its letters' names in",
        ),
        ("align eng deu --codes en de", "--codes are for tmx and moses (leave them out, or say"),
        ("segment eng -m model -o /dev/full", "/dev/full: cannot be written: No space left"),
    ],
)
def test_what_would_be_ignored_is_refused(folder, capsys, command, said):
    capsys.readouterr()
    assert main(command.split()) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(f"error: {said}")
    assert err.count("\n") == 1
    assert not (folder / "m").exists()


@pytest.mark.parametrize("verb", VERBS)
def test_an_option_of_one_value_is_given_once_or_is_a_list(verb):
    """Of several values, the last would win silently."""
    for action in parser_of(verb)._actions:
        if action.option_strings and action.nargs != 0:
            assert isinstance(action, Once | argparse._AppendAction), action.option_strings


@pytest.mark.parametrize(
    "command",
    [
        "align eng deu --merges 5 --merges 6",
        "align eng deu --merges=5 --merg 5",
        "segment eng -o a --output b",
        "learn eng --segmenter bpe --segmenter bpe",
        "filter eng deu --longest 3 --outputs a b --longest 3",
    ],
)
def test_an_option_given_twice_is_refused(folder, capsys, command):
    with pytest.raises(SystemExit):
        main(command.split())
    assert f": given twice (seggrid {command.split()[0]} --help" in capsys.readouterr().err


def test_a_setting_given_twice_is_refused(folder, capsys):
    capsys.readouterr()
    twice = ["--set", "gibbs.samplers=1", "--set", "gibbs.samplers=2"]
    assert main(["align", "eng", "deu", *twice]) == 2
    assert capsys.readouterr().err == "error: --set gibbs.samplers twice (leave one of them out)\n"


@pytest.mark.parametrize(
    "command",
    [
        "segment eng --segmenter words --dropout 0 -o o",
        "learn eng --raw --segmenter byte_bpe --vocabulary 300 --script latin --least-count 2 -o o",
    ],
)
def test_what_changes_nothing_is_not_refused(folder, command):
    assert main(command.split()) == 0


def test_samples_of_what_is_not_random(folder, capsys):
    capsys.readouterr()
    assert main(["segment", "eng", "-m", "model", "--samples", "3"]) == 0
    out, err = capsys.readouterr()
    assert err == "note: --samples has no effect without dropout or sampling\n"
    assert len(out.splitlines()) == 20
