"""The share of tokens that are of the most frequent types, for each segmentation."""

from pathlib import Path

import numpy as np
import pandas as pd

from seggrid.plugin import read_first, write_table


def main(segmentations: list[Path], types: list[int], output: Path) -> None:
    """Read the first sample of each segmentation: results/segment/PAIR/SIDE/SEGMENTATION/PART.npz."""
    rows = []
    for file in segmentations:
        pair, side, segmentation = file.parts[-4:-1]
        counts = np.sort(np.bincount(read_first(file).ids))[::-1]
        for number in types:
            share = counts[:number].sum() / counts.sum()
            rows.append((pair, side, segmentation, number, share))
    columns = ["pair", "side", "segmentation", "types", "share"]
    write_table(output, pd.DataFrame(rows, columns=columns))
