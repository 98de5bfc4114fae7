"""Arrays as in a damaged file."""

import numpy as np
import pytest

from seggrid.base.npz import Arrays
from seggrid.errors import InputError


def assert_refused(unpack, packed, name, array, message):
    """Check that `unpack` refuses arrays of which one was replaced, or removed (None)."""
    arrays = Arrays(packed, "a.npz")
    if array is None:
        del arrays[f"0/{name}"]
    else:
        arrays[f"0/{name}"] = np.array(array)
    with pytest.raises(InputError, match=rf"a\.npz: damaged \({message}\).*delete it"):
        unpack(arrays)
