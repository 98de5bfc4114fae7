"""References as texts, in tests of morphology."""

import pytest

from seggrid.morphology.references import read_reference


@pytest.fixture
def read(tmp_path):
    """Reads a morphological reference from its text."""

    def read(text, format="surface"):
        path = tmp_path / "reference.tsv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_reference(path, format)

    return read
