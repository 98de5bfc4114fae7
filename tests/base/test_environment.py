import os

import pytest

from seggrid.base.environment import variable


@pytest.mark.parametrize("before", [None, "kept"])
def test_a_variable_is_as_before_even_after_an_error(monkeypatch, before):
    monkeypatch.delenv("SEGGRID_TRIED", raising=False)
    if before is not None:
        monkeypatch.setenv("SEGGRID_TRIED", before)

    def use():
        with variable("SEGGRID_TRIED", "new"):
            raise KeyError(os.environ["SEGGRID_TRIED"])

    with pytest.raises(KeyError, match="new"):
        use()
    assert os.environ.get("SEGGRID_TRIED") == before
