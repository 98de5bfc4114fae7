"""Word frequencies of wordfreq."""

import pytest

from seggrid.morphology.frequencies import wordfreq_counts


@pytest.mark.tier("test")
def test_counts():
    pytest.importorskip("wordfreq")
    found = wordfreq_counts(["the", "House", "qxzjwk", "new york"], "English")
    assert set(found) == {"the", "House"}
    assert found["the"] > 100 * found["House"] > 10**6
    assert wordfreq_counts(["Haus"], "German")["Haus"] > 10**5
