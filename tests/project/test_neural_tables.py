"""The tables of docs/studies/neural.md, which docs/studies/neural.py makes, on made-up probabilities."""

import sys

import numpy as np
import pytest

from seggrid.base.arrays import write_arrays
from seggrid.data.links import Links, Posteriors, pack_posteriors


@pytest.fixture
def neural(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "docs/studies"))
    sys.modules.pop("neural", None)
    import neural

    return neural


@pytest.fixture
def scored(neural, tmp_path):
    """Four sentence pairs whose gold is on the diagonal, the first two for development."""
    data = tmp_path / "xl-wa" / "et"
    data.mkdir(parents=True)
    for part in ("dev", "test", "train"):
        (data / f"{part}.tsv").write_text("a b\tx y\t0-0 1-1\n" * 2, "utf-8")

    def write(label, *shares):
        """Each link on the diagonal has this probability, in each of several settings."""
        links = Links.from_lines(["0-0 1-1"] * 4)
        made = [Posteriors(links, np.full(8, share, dtype=np.float32)) for share in shares]
        arrays = pack_posteriors(made) | {"seconds": np.array([2.0])}
        write_arrays(tmp_path / f"et.{label}.npz", arrays)

    write("words", 0.3)
    write("bpe", 0.9)
    for k in range(6):
        write(f"vote-{k}", 0.6)
    write("encoder", *np.linspace(0.38, 0.9, 6))
    return neural.Scored(neural.read(tmp_path, "et"), "et", tmp_path)


def test_each_recipe_has_a_row_with_its_bound(neural, scored):
    rows = {row["recipe"]: row for row in neural.scores([scored]) if row["pair"] == "et"}
    assert set(rows) == set(neural.RECIPES)
    # Probabilities of 0.3 are below the bound of words, those of the others above theirs.
    assert rows["words"]["f1"] == "0.0000"
    assert {rows[name]["f1"] for name in ("bpe", "vote-small", "vote")} == {"1.0000"}
    assert "f1" not in rows["neural"]
    assert scored.seconds("vote-0", "vote-1") == 4.0


def test_settings_are_scored_on_development_sentences_at_each_bound(neural, scored):
    rows = neural.settings([scored])
    alone = {
        (row["layer"], row["temperature"], row["above_percent"]): row["f1"]
        for row in rows
        if row["with"] == neural.ALONE
    }
    assert len(alone) == 6 * len(neural.BOUNDS)
    assert alone[7, "0.02", 40] == "0.0000"
    assert alone[7, "0.02", 35] == alone[8, "0.05", 55] == "1.0000"
    # Half of 0.6 and half of 0.38.
    voted = [row for row in rows if row["with"] == "vote" and row["weight"] == 0.5]
    first = next(row for row in voted if row["temperature"] == "0.02" and row["layer"] == 7)
    assert first["f1"] == first["et"] == "1.0000"
    assert [row["f1"] for row in voted if row["layer"] == 7][4] == "0.0000"
