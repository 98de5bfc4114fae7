#!/usr/bin/env bash
# Two current packages disagree on grapheme clusters of Khmer and Balinese, and agree on Bengali and Tamil.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q regex==2026.11.19 uniseg==0.10.1
env/bin/python - >seen <<'PY'
import regex
from uniseg.graphemecluster import grapheme_clusters

for name, text in {"Khmer": "ខ្មែរ", "Balinese": "ᬓ᭄ᬱ", "Bengali": "ক্ষ", "Tamil": "க்ஷ"}.items():
    print(name, len(regex.findall(r"\X", text)), len(list(grapheme_clusters(text))))
PY
cat >recorded <<'SEEN'
Khmer 2 3
Balinese 1 2
Bengali 1 1
Tamil 2 2
SEEN
echo "Packages:  regex==2026.11.19 uniseg==0.10.1"
echo "Behaviour: Two current packages disagree on grapheme clusters of Khmer and Balinese, and agree on Bengali and Tamil."
echo "Expected:  The same clusters in both: either follows the rule for conjuncts."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
