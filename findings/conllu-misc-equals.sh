#!/usr/bin/env bash
# A value of MISC is cut at a second equals sign, and serialize writes the shorter one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q conllu==6.0.0
env/bin/python - >seen <<'PY'
import conllu

sentence = conllu.parse("1\tdu\tde\tADP\t_\t_\t0\troot\t_\tGloss=a=b\n\n")[0]
print("read:", sentence[0]["misc"])
print("written:", sentence.serialize().split("\t")[-1].strip())
PY
cat >recorded <<'SEEN'
read: {'Gloss': 'a'}
written: Gloss=a
SEEN
echo "Packages:  conllu==6.0.0"
echo "Behaviour: A value of MISC is cut at a second equals sign, and serialize writes the shorter one."
echo "Expected:  Gloss=a=b comes back: only the first sign divides name and value."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
