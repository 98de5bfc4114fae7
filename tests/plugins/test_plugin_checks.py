"""The segmenters and aligners of the package pass what `seggrid check-plugin` checks."""

import pytest

import sides
from seggrid.align import ALIGNERS
from seggrid.plugins.contract import check_aligner, check_segmenter

# Those of other programs check their texts themselves; the neural one needs an encoder.
OWN = [name for name, entry in ALIGNERS.items() if entry.in_process]


@pytest.mark.parametrize("name", sides.READING_TEXT)
def test_segmenter(name, tmp_path):
    assert [(what, wrong) for what, wrong in check_segmenter(name, tmp_path) if wrong] == []


@pytest.mark.parametrize("name", OWN)
def test_aligner(name):
    assert [(what, wrong) for what, wrong in check_aligner(name) if wrong] == []
