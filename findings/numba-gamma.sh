#!/usr/bin/env bash
# Compiled code draws the numbers of NumPy for one seed, but other ones of the gamma, beta, Dirichlet and von Mises distributions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q numba==0.68.1 numpy==2.4.6
env/bin/python - >seen <<'PY'
import numpy as np
from numba import njit

DRAWN = [
    "random(4)",
    "randint(0, 100, 4)",
    "normal(0.0, 1.0, 4)",
    "permutation(8)",
    "choice(np.arange(9), 4, False)",
    "binomial(1000, 0.3, 4)",
    "poisson(30.0, 4)",
    "multinomial(20, np.array([0.2, 0.3, 0.5]))",
    "gamma(2.0, 1.0, 4)",
    "beta(2.0, 3.0, 4)",
    "dirichlet(np.array([1.0, 2.0]), 4)",
    "vonmises(0.0, 1.0, 4)",
]
for drawn in DRAWN:
    names = {"np": np}
    exec(f"def draw():\n    np.random.seed(1)\n    return np.random.{drawn}", names)
    draw = names["draw"]
    print("same " if np.array_equal(njit(draw)(), draw()) else "other", drawn)
for shape in 0.1, 2.0:
    draw = njit(lambda: np.random.gamma(shape, 1.0, 400_000))
    print(f"mean of gamma({shape}, 1.0): {draw().mean():.1f}")
PY
cat >recorded <<'SEEN'
same  random(4)
same  randint(0, 100, 4)
same  normal(0.0, 1.0, 4)
same  permutation(8)
same  choice(np.arange(9), 4, False)
same  binomial(1000, 0.3, 4)
same  poisson(30.0, 4)
same  multinomial(20, np.array([0.2, 0.3, 0.5]))
other gamma(2.0, 1.0, 4)
other beta(2.0, 3.0, 4)
other dirichlet(np.array([1.0, 2.0]), 4)
other vonmises(0.0, 1.0, 4)
mean of gamma(0.1, 1.0): 0.1
mean of gamma(2.0, 1.0): 2.0
SEEN
echo "Packages:  numba==0.68.1 numpy==2.4.6"
echo "Behaviour: Compiled code draws the numbers of NumPy for one seed, but other ones of the gamma, beta, Dirichlet and von Mises distributions."
echo "Expected:  The same numbers of all distributions, since both have the same generator and eight others agree to the last bit."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
