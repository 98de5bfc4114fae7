"""thot_ibm4: IBM 4 of Brown et al. (1993) after IBM 1, an HMM and IBM 3, from sil-thot."""

from __future__ import annotations

from seggrid.align import thot
from seggrid.align.thot import Iterations, align

__all__ = ["Options", "align"]


class Options(thot.Options):
    """Options of thot_ibm4."""

    ibm3_iterations: Iterations = 5
    """Iterations of IBM 3."""

    ibm4_iterations: Iterations = 5
    """Iterations of IBM 4."""

    def cascade(self) -> list[tuple[str, int]]:
        """Thot's name of each model, in order of training, and the number of its iterations."""
        return [*super().cascade(), ("Ibm3", self.ibm3_iterations), ("Ibm4", self.ibm4_iterations)]
