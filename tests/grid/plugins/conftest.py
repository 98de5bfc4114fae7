"""The registries, as they were before each test."""

import pytest

from seggrid.align import ALIGNERS
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.grid import plugins
from seggrid.grid.axes import STAGES
from seggrid.grid.study import STUDIES
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES, LABELS


@pytest.fixture(autouse=True)
def as_before(monkeypatch):
    """The registries without plug-ins after each test."""
    registries = (
        *(SEGMENTERS, ALIGNERS, STUDIES, STAGES, AXES, ALIGNER_AXES, LABELS),
        plugins._LOADED,
    )
    kept = [dict(one) for one in registries]
    monkeypatch.delenv(plugins.VARIABLE, raising=False)
    yield
    for one, before in zip(registries, kept, strict=True):
        one.clear()
        one.update(before)
