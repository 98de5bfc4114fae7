"""Values as JSON are those that are printed without it."""

import json

import pytest

from seggrid.commands import main


def test_values_as_json_are_those_of_the_table(builtin, capsys):
    (builtin(20, merges=40) / "links").write_text("0-0\n" * 20)
    for verb in (
        ["measure", "eng", "-m", "model"],
        ["score", "links", "gold", "--resamples", "50"],
    ):
        assert main(verb) == 0
        rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
        table = {name: value for name, value, *_ in rows if name != "metric"}
        assert main([*verb, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        for name, text in table.items():
            own = found[name]["value"] if isinstance(found[name], dict) else found[name]
            assert (
                (own is None) if not text else float(text) == pytest.approx(own, abs=5e-5, rel=1e-5)
            )
        assert found.keys() == table.keys()


def test_a_value_that_is_not_defined_is_null(builtin, capsys):
    builtin(20)
    assert main(["measure", "eng", "--segmenter", "words", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unreachable_types"] is None


def test_candidates_as_json_are_those_of_the_table(builtin, capsys, monkeypatch):
    builtin(20)
    monkeypatch.setattr("seggrid.commands.recommendation.MERGES", (5,))
    monkeypatch.setattr("seggrid.commands.recommendation.RESAMPLES", 10)
    assert main(["recommend", "eng", "deu", "-o", "best.yaml"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines() if "\t" in line]
    assert main(["recommend", "eng", "deu", "--json", "-o", "best.yaml"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["measure"] == rows[0][2]
    assert [one["label"] for one in found["candidates"]] == [row[0] for row in rows[1:]]
    assert [f"{one['value']:.3f}" for one in found["candidates"]] == [row[2] for row in rows[1:]]
    assert found["candidates"][0]["better"] is None
