#!/usr/bin/env bash
# Letters outside of a to z and hyphens are left out of the words, without a word of warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q wordninja==2.0.0
env/bin/python - >seen <<'PY'
from wordninja import split

for text in "naïveapproach", "überall", "well-knownfact", "don'tstop", "100dollars", "улица":
    words = split(text)
    print(text, "spelled" if "".join(words) == text else "changed", words)
PY
cat >recorded <<'SEEN'
naïveapproach changed ['na', 've', 'approach']
überall changed ['ber', 'all']
well-knownfact changed ['well', 'known', 'fact']
don'tstop spelled ["don't", 'stop']
100dollars spelled ['100', 'dollars']
улица changed []
SEEN
echo "Packages:  wordninja==2.0.0"
echo "Behaviour: Letters outside of a to z and hyphens are left out of the words, without a word of warning."
echo "Expected:  Pieces that spell the text, an unknown letter a piece of its own, since models of other languages can be given."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
