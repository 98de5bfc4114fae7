#!/usr/bin/env bash
# Upper case, lower case and tests of characters change with the mere presence of pyarrow.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
cat >look.py <<'PY'
import pandas as pd

text = lambda word: pd.Series([word]).str
print(text("straße").upper()[0], text("ΣΑΣ").lower()[0], text("ქართული").capitalize()[0],
      text("½").isdigit()[0], text("三").isnumeric()[0])
PY
python -m venv one
one/bin/pip install -q pandas==3.1.1
python -m venv two
two/bin/pip install -q pandas==3.1.1 pyarrow==26.0.1
for env in one two; do echo "$env: $($env/bin/python look.py)"; done >seen
cat >recorded <<'SEEN'
one: STRASSE σας ქართული False True
two: STRAẞE σασ Ქართული True False
SEEN
echo "Packages:  (one) pandas==3.1.1; (two) pandas==3.1.1 pyarrow==26.0.1"
echo "Behaviour: Upper case, lower case and tests of characters change with the mere presence of pyarrow."
echo "Expected:  One version of pandas gives one answer, that of Python's str."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
