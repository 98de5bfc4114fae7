"""Tables of results as they are read for the page."""

import random

import numpy as np
import pytest

from seggrid.grid.report.results import read_results
from seggrid.score.table import read_scores


@pytest.mark.needs_studies("morphology")
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


@pytest.mark.needs_studies("morphology")
def test_numbers_are_read_as_they_were_written(tmp_path):
    """Unless told otherwise, read_csv of pandas 3.0.0 loses the last digit of one number in three."""
    random.seed(1)
    numbers = [random.random() for _ in range(1000)]
    (tmp_path / "scores.csv").write_text("f1\n" + "\n".join(map(repr, numbers)) + "\n")
    (tmp_path / "a").write_text("tokenizer,f1\n" + "".join(f"t,{f1!r}\n" for f1 in numbers))
    assert read_scores(tmp_path / "scores.csv")["f1"].tolist() == numbers
    (table,) = read_results({"morphology": tmp_path / "a"}).values()
    assert table["f1"].tolist() == numbers
