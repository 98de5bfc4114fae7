"""The colors of the page: nine that differ for everyone, in both themes."""

from itertools import combinations

import numpy as np
import pytest

from seggrid.grid.report.theme import PALETTE

# Machado, Oliveira and Fernandes (2009), "A physiologically-based model for simulation of color vision
# deficiency", severity 1.
VISION = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}
# To the space OKLab (Ottosson 2020), in which distances are those that one sees.
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def linear(color):
    """Light of each of the three primary colors, from 0 to 1."""
    share = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def seen(color, vision):
    return TO_LAB @ np.cbrt(TO_CONES @ np.clip(VISION[vision] @ linear(color), 0, 1))


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize(("theme", "paper"), [(0, "#ffffff"), (1, "#15181c")])
def test_nine_colors_are_told_apart(theme, paper, vision):
    points = [seen(both[theme], vision) for both in PALETTE]
    assert len(points) == 9
    points.append(seen(paper, vision))
    least = min(np.linalg.norm(one - other) for one, other in combinations(points, 2))
    # A step of 0.02 can just be seen.
    assert least > 0.09
