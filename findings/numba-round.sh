#!/usr/bin/env bash
# round to a number of places multiplies, rounds and divides in compiled code; Python rounds the exact value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q numba==0.68.1 numpy==2.4.6
env/bin/python - >seen <<'PY'
import numba


def places(a, b):
    return round(a, 1), round(b, 2)


print("compiled", *numba.njit(places)(0.15, 2.675))
print("python", *places(0.15, 2.675))
PY
cat >recorded <<'SEEN'
compiled 0.2 2.68
python 0.1 2.67
SEEN
echo "Packages:  numba==0.68.1 numpy==2.4.6"
echo "Behaviour: round to a number of places multiplies, rounds and divides in compiled code; Python rounds the exact value."
echo "Expected:  The same numbers: other functions of floats agree to the last bit."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
