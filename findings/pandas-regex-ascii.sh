#!/usr/bin/env bash
# In 3.0.0 with pyarrow, \w and \d in str.contains know ASCII only; in 3.1.1 all letters and digits.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
cat >look.py <<'PY'
import pandas as pd

print(pd.Series(["é", "日本", "abc"]).str.contains(r"^\w+$").tolist(),
      pd.Series(["১২", "12"]).str.contains(r"^\d+$").tolist())
PY
python -m venv one
one/bin/pip install -q pandas==3.0.0 pyarrow==26.0.1
python -m venv two
two/bin/pip install -q pandas==3.1.1 pyarrow==26.0.1
for env in one two; do echo "$env: $($env/bin/python look.py)"; done >seen
cat >recorded <<'SEEN'
one: [False, False, True] [False, True]
two: [True, True, True] [True, True]
SEEN
echo "Packages:  (one) pandas==3.0.0 pyarrow==26.0.1; (two) pandas==3.1.1 pyarrow==26.0.1"
echo "Behaviour: In 3.0.0 with pyarrow, \w and \d in str.contains know ASCII only; in 3.1.1 all letters and digits."
echo "Expected:  As the module re in both."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
