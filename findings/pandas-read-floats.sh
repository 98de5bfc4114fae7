#!/usr/bin/env bash
# read_csv of 3.0.0 does not give back numbers written with repr; that of 3.1.1 does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
cat >look.py <<'PY'
import io
import random

import pandas as pd

random.seed(1)
values = [random.random() for _ in range(20000)]
read = pd.read_csv(io.StringIO("x\n" + "\n".join(map(repr, values)))).x.tolist()
print(sum(a != b for a, b in zip(values, read)), "of 20000 differ")
PY
python -m venv one
one/bin/pip install -q pandas==3.0.0
python -m venv two
two/bin/pip install -q pandas==3.1.1
for env in one two; do echo "$env: $($env/bin/python look.py)"; done >seen
cat >recorded <<'SEEN'
one: 7273 of 20000 differ
two: 0 of 20000 differ
SEEN
echo "Packages:  (one) pandas==3.0.0; (two) pandas==3.1.1"
echo "Behaviour: read_csv of 3.0.0 does not give back numbers written with repr; that of 3.1.1 does."
echo "Expected:  Either reads 17 digits exactly, or but one in a thousand wrongly."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
