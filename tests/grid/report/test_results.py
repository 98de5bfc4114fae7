"""Tables of results as they are read for the page."""

import numpy as np

from seggrid.grid.report.results import read_results
from seggrid.score.table import read_scores


def test_names_that_look_like_numbers_stay_names(tmp_path):
    (tmp_path / "scores.csv").write_text("cell,pair,f1\nW,2024,0.5\n")
    (tmp_path / "a").write_text("tokenizer,reference,f1\n1000,NA,0.5\n2000,NA,\n")
    assert read_scores(tmp_path / "scores.csv")["pair"].tolist() == ["2024"]
    (tmp_path / "b").touch()
    files = {"morphology": tmp_path / "a", "knockout": tmp_path / "b"}
    (table,) = read_results(files).values()
    assert table["tokenizer"].tolist() == ["1000", "2000"]
    assert table["reference"].tolist() == ["NA", "NA"]
    assert np.isnan(table["f1"].tolist()[1])
