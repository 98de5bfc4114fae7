"""Tables for a paper."""

import csv
import re

import pandas as pd
import synthetic
import synthetic_ensembles
import synthetic_models

from seggrid.report import tables


def test_tables_are_written_twice(small, tmp_path):
    files = tables.write_all(
        small,
        tmp_path,
        published=synthetic.published(small),
        claims=synthetic.claims(),
        morphology=synthetic.morphology(),
        language_models=synthetic_models.language_models(),
        ensembles=synthetic_ensembles.ensembles(small),
    )
    names = {"ensembles", "best", "scores", "published", "claims", "morphology", "language-models"}
    assert {file.name for file in files} == {f"{n}{s}" for n in names for s in (".csv", ".tex")}
    with open(tmp_path / "best.csv", newline="") as file:
        best = next(csv.DictReader(file))
    assert float(best["F1"]) == small.f1.max()
    tex = (tmp_path / "scores.tex").read_text()
    assert "longtable" in tex
    body = tex.split(r"\endlastfoot")[1]
    assert body.count(r"\\") == small.f1.notna().sum()


def test_latex_escapes_what_it_would_run():
    table = pd.DataFrame({"a_b": ["50% & {x}", r"\input{y}"], "n": [1.23456, None]})
    text = tables.latex(table, "A caption.", "tab:x")
    assert r"a\_b" in text
    assert r"50\% \& \{x\} & 1.235 \\" in text
    assert r"\textbackslash input\{y\} & -- \\" in text
    assert not re.search(r"(?<!\\)[%&#_](?! )", text.replace("tab:x", "").split("midrule")[1])
