#!/usr/bin/env bash
# strings.upper keeps the width of the array: a word that gets longer loses its end without a word of warning, save for StringDType.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q numpy==2.4.6
env/bin/python - >seen <<'PY'
import numpy as np

print("fixed width:", np.strings.upper(np.array(["straße"]))[0])
print("StringDType:", np.strings.upper(np.array(["straße"], dtype=np.dtypes.StringDType()))[0])
PY
cat >recorded <<'SEEN'
fixed width: STRASS
StringDType: STRASSE
SEEN
echo "Packages:  numpy==2.4.6"
echo "Behaviour: strings.upper keeps the width of the array: a word that gets longer loses its end without a word of warning, save for StringDType."
echo "Expected:  STRASSE in both, since strings.replace widens its result."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
