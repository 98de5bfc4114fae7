"""Compare published figures with ours, and check a publication's claims against our scores."""

from pathlib import Path
from typing import Literal

import pandas as pd

from seggrid.score.counts import read_counts
from seggrid.score.table import read_scores, write_table
from seggrid.thesis.claims import CLAIMS, check_claims
from seggrid.thesis.published import compare, read_published


def main(
    scores: Path,
    counts: Path,
    published: list[Path],
    study: Literal["none", *CLAIMS],
    comparison: Path,
    claims: Path,
    seed: int = 1,
    resamples: int = 2000,
    evaluations: list[Path] = [],
) -> None:
    """Compare tables of published figures, and check the claims of a study about our scores or, instead,
    about `evaluations`."""
    found = read_scores(scores)
    tables = [compare(read_published(path), found) for path in published]
    write_table(
        comparison, pd.concat(tables) if tables else pd.DataFrame(columns=["cell", "table"])
    )
    about = [pd.read_csv(path) for path in evaluations]
    checked = check_claims(
        pd.concat(about) if about else found,
        CLAIMS.get(study, ()),
        read_counts(counts),
        seed=seed,
        rounds=resamples,
    )
    write_table(claims, checked)
