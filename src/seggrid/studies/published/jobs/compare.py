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
    found, hits = read_scores(scores), read_counts(counts)
    tables = [compare(read_published(path), found) for path in published]
    nothing = pd.DataFrame(columns=["cell", "table"])
    write_table(comparison, pd.concat(tables) if tables else nothing)
    about = pd.concat(map(pd.read_csv, evaluations)) if evaluations else found
    checked = check_claims(about, CLAIMS.get(study, ()), hits, seed=seed, rounds=resamples)
    write_table(claims, checked)
