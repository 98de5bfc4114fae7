"""thot_hmm: the HMM of Vogel, Ney and Tillmann (1996) after IBM 1, from sil-thot."""

from seggrid.align.thot import Options, align

__all__ = ["Options", "align"]
