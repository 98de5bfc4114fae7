#!/usr/bin/env bash
# Default word boundaries of UAX 29 fall inside a grapheme cluster: before the Thai vowel AM.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q uniseg==0.10.1 regex==2026.11.19
env/bin/python - >seen <<'PY'
import regex
from uniseg.graphemecluster import grapheme_clusters
from uniseg.wordbreak import words

text = "น้ำตาล"
print("clusters:", *grapheme_clusters(text))
print("words of uniseg:", *words(text))
print("words of regex:", *filter(None, regex.split(r"(?w)\b", text, flags=regex.V1)))
PY
cat >recorded <<'SEEN'
clusters: น้ำ ต า ล
words of uniseg: น้ ำ ต า ล
words of regex: น้ ำ ต า ล
SEEN
echo "Packages:  uniseg==0.10.1 regex==2026.11.19"
echo "Behaviour: Default word boundaries of UAX 29 fall inside a grapheme cluster: before the Thai vowel AM."
echo "Expected:  A boundary of words is one of clusters too."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
