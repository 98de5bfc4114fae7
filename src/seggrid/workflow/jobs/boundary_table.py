"""Write the table of an evaluation against a morphological reference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from seggrid.morphology.evaluate import Row
from seggrid.morphology.published import SUMS, read_published, with_published
from seggrid.score.table import write_table


def write_boundary_table(
    path: Path,
    rows: Sequence[Row],
    name: str,
    reference: str,
    published: Path | None = None,
    remark: str = "",
) -> None:
    """Write `results/morphology/NAME.csv`, with published scores beside ours; the remark is on the size of
    the model, for all rows except that of the ideal."""
    table = pd.DataFrame(with_published(list(rows), read_published(published) if published else {}))
    # Integers must not become floats just because sums of random runs are missing.
    table[[*SUMS, "vocabulary"]] = table[[*SUMS, "vocabulary"]].astype("Int64")
    table.insert(0, "tokenizer", name)
    table.insert(1, "reference", reference)
    table["remark"] = np.where(table["knockout"] == "ideal", "", remark)
    write_table(path, table)
