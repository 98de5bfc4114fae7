"""Tables for papers."""

import csv
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import synthetic

from seggrid.grid.report import tables
from seggrid.grid.report.charts import described
from seggrid.grid.report.labels import describe_cell
from seggrid.grid.study import every_table

ROOT = Path(__file__).resolve().parents[3]


def made(name, **results):
    (one,) = (shown for table in every_table() for shown in table.shown if shown.name == name)
    return tables.make(one, results)


def test_cells_of_two_pairs_without_gold_are_told_apart(small):
    cells = small.head(1).assign(status="no gold", f1=np.nan)
    cells = pd.concat([cells, cells.assign(pair="another", cell="another")], ignore_index=True)
    table = made("unscored", scores=described(cells, None))
    assert table[["Pair", "Cell"]].drop_duplicates().shape == (2, 2)


@pytest.mark.needs_studies("published", "votes", "morphology", "language_model")
def test_tables_are_written_twice(small, grid, tmp_path):
    files = tables.write_all(
        {
            "scores": small,
            "published": synthetic.published(small),
            "morphology": synthetic.morphology(),
            "language_model": synthetic.language_models(),
            "language_model_probes": synthetic.model_probes(),
            "language_model_tasks": synthetic.model_tasks(),
            "ensembles": synthetic.ensembles(small),
            **{name: getattr(grid, name) for name in ("verdict", "selection", "effects")},
        },
        tmp_path,
    )
    names = """verdict selection effects ensembles best scores published morphology language-models
        language-model-probes language-model-tasks morphology-relative"""
    assert {file.name for file in files} == {
        f"{n}{s}" for n in names.split() for s in (".csv", ".tex")
    }
    with open(tmp_path / "best.csv", newline="") as file:
        best = next(csv.DictReader(file))
    assert float(best["F1"]) == small.f1.max()
    tex = (tmp_path / "scores.tex").read_text()
    assert "longtable" in tex
    body = tex.split(r"\endlastfoot")[1]
    assert body.count(r"\\") == small.f1.notna().sum()


def test_a_best_cell_is_told_apart_from_the_others(small):
    lower = small.assign(
        **{
            name: small[name].str.replace("case=first", "case=lower")
            for name in ("source", "target")
        },
        **{"cell": small.cell + "/lower", "case": "lower", "f1": small.f1 + 0.01},
    )
    cells = described(pd.concat([small, lower], ignore_index=True), None)
    (best,) = made("best", scores=cells)["Cell"]
    assert best.endswith("lower case") or "lower case," in best


@pytest.mark.needs_studies("votes")
def test_the_best_member_of_a_vote_is_named_with_its_aligner(small):
    ensembles = synthetic.ensembles(small)
    table = made("ensembles", ensembles=ensembles, scores=described(small, None))
    best = small.set_index("cell").loc[ensembles.best_member[0]]
    assert table["Best member"].tolist() == [f"fast_align: {describe_cell(best)}"] * 2


@pytest.mark.needs_studies("votes")
def test_tables_say_what_they_leave_out_and_fit_a_page(small):
    found = {
        one.name: (caption, table)
        for one, caption, table in tables.tables(
            {
                "scores": described(small, None),
                "ensembles": synthetic.ensembles(small),
            }
        )
    }
    left = small.f1.isna().sum()
    assert found["scores"][0].endswith(f" {left} others have none.")
    f1 = found["scores"][1]["F1"]
    assert [*f1] == sorted(f1, reverse=True)
    everything = described(small[small.f1.notna()].reset_index(drop=True), None)
    captions = {one.name: caption for one, caption, _ in tables.tables({"scores": everything})}
    assert "others" not in captions["scores"]
    assert len(found["ensembles"][1].columns) == 13
    assert not any("low" in name for name in found["ensembles"][1])


@pytest.mark.needs_studies("published", "votes")
def test_scores_have_their_signatures_in_csv_and_before_the_latex(small):
    signed = described(small.assign(signature="metric:f1|gold:a_b%20"), None)
    ensembles = synthetic.ensembles(small)
    results = {"scores": signed, "ensembles": ensembles, "published": synthetic.published(small)}
    for name in ("best", "scores", "ensembles", "published"):
        table = made(name, **results)
        assert set(table[tables.SIGNATURE]) == {"metric:f1|gold:a_b%20"}
        text = tables.latex(table, "A caption.", f"tab:{name}")
        assert text.count("Signature") == 0
        assert text.startswith("% metric:f1|gold:a_b%20\n\\begin")


def test_a_measure_has_one_row_for_both_scores(grid):
    table = made("correlations", correlations=grid.correlations)
    of_f1 = grid.correlations[grid.correlations.score == "f1"]
    assert table["With F1"].tolist() == of_f1.spearman.tolist()
    assert not table.duplicated(["Cells of", "Measure"]).any()
    of_aer = grid.correlations.spearman[grid.correlations.score == "aer"]
    assert table["With AER"].tolist() == of_aer.tolist()


def test_cells_without_gold_come_by_agreement_with_the_measures_in_which_they_differ(small):
    agreement = np.linspace(0.5, 0.6, len(small))
    scores = small.assign(status="no gold", f1=np.nan, agreement=agreement, tokens_source=7)
    table = made("unscored", scores=described(scores, None))
    assert table["Agreement"].tolist() == agreement[::-1].tolist()
    assert "Fertility, target" in table
    assert "Tokens, source" not in table


@pytest.mark.needs_studies("published")
def test_a_stand_in_is_named_beside_the_published_figures(small):
    published = synthetic.published(small)
    assert "Stand-in" not in made("published", published=published.assign(stand_in=""))
    stand_in = ["gibbs", *[None] * (len(published) - 1)]
    table = made("published", published=published.assign(stand_in=stand_in))
    assert table["Stand-in"].tolist()[:2] == ["gibbs", ""]


@pytest.mark.needs_studies("morphology")
def test_published_figures_are_beside_ours_of_morpheme_boundaries():
    rows = synthetic.morphology()
    assert "F1, published" not in made("morphology", morphology=rows.assign(published_f1=np.nan))
    table = made("morphology", morphology=rows.assign(published_f1=0.539))
    assert table[["F1", "F1, published"]].notna().all(axis=None)


def test_latex_escapes_what_it_would_run():
    table = pd.DataFrame({"a_b": ["50% & {x}", r"\input{y}"], "n": [1.23456, None]})
    text = tables.latex(table, "A caption.", "tab:x")
    assert r"a\_b" in text
    assert r"50\% \& \{x\} & 1.235 \\" in text
    assert r"\textbackslash input\{y\} & -- \\" in text
    assert not re.search(r"(?<!\\)[%&#_](?! )", text.replace("tab:x", "").split("midrule")[1])


def test_latex_says_no_number_that_it_only_rounds_to():
    table = pd.DataFrame(
        {"p (words)": [0.0001, 0.0504], "x": [-0.0001, np.inf], "y": [-1.0, -np.inf]}
    )
    text = tables.latex(table, "A caption.", "tab:x")
    assert r"$<$0.001 & 0.000 & $-1.000$ \\" in text
    assert r"0.050 & $\infty$ & $-\infty$ \\" in text


@pytest.mark.needs_studies("morphology")
@pytest.mark.parametrize(
    ("language", "knockout", "evaluation", "points", "ratios"),
    [
        ("eng", "blame-0.5", "full", [10.2, 25.4, 16.2], [1.24, 1.51, 1.35]),
        ("eng", "blame-0.5", "holdout-0.5", [7.0, 18.2, 11.5], [1.16, 1.37, 1.25]),
        ("deu", "blame-0.5", "full", [10.3, 25.8, 16.2], [1.23, 1.48, 1.33]),
        ("deu", "blame-0.5", "holdout-0.5", [8.2, 19.3, 12.6], [1.18, 1.36, 1.26]),
    ],
)
def test_relative_scores_are_those_of_the_papers_table_11(
    language, knockout, evaluation, points, ratios
):
    """From the counts of its Table 2, word types, boundaries between morphemes."""
    from seggrid.studies.morphology.charts import relative_to_learned

    rows = pd.read_csv(ROOT / f"resources/published/bpe_knockout_{language}.csv")
    rows = rows[rows.true_positives.notna()].assign(tokenizer="bpe-40k", reference="celex")
    rows["precision"] = rows.true_positives / rows.predicted
    rows["recall"] = rows.true_positives / rows.positives
    rows["f1"] = 2 * rows.true_positives / (rows.predicted + rows.positives)
    table = relative_to_learned(rows)
    chosen = table[
        (table.knockout == knockout)
        & (table.evaluation == evaluation)
        & (table.boundaries == "morphemes")
    ]
    assert len(chosen) == 1
    found = chosen.iloc[0]
    metrics = ("precision", "recall", "f1")
    assert [round(found[f"{metric}_points"], 1) for metric in metrics] == points
    assert [round(found[f"{metric}_ratio"], 2) for metric in metrics] == ratios


@pytest.mark.needs_studies("morphology")
def test_scores_with_dropout_are_relative_to_those_without():
    from seggrid.studies.morphology.charts import relative_to_learned

    rows = synthetic.morphology().assign(dropout_kind=None)
    learned = rows[rows.knockout == "none"]
    dropped = learned.assign(dropout=0.1, dropout_kind="queue", recall=learned.recall / 2)
    table = relative_to_learned(pd.concat([rows, dropped]))
    assert table.columns.is_unique
    ratios = table[table.dropout == 0.1].recall_ratio
    assert len(ratios) == 2
    assert (ratios == 0.5).all()


@pytest.mark.needs_studies("morphology")
def test_scores_relative_to_nothing_are_missing():
    from seggrid.studies.morphology.charts import relative_to_learned

    rows = synthetic.morphology().assign(precision=0.0, recall=0.5, f1=0.0)
    table = relative_to_learned(rows)
    assert table.precision_ratio.isna().all()
    assert (table.recall_ratio == 1).all()
    unlearned = relative_to_learned(rows[rows.knockout != "none"])
    assert unlearned[["recall_points", "recall_ratio"]].isna().all(axis=None)
