#!/usr/bin/env bash
# A patch release of nltk gives other tokens: wordpunct_tokenize cut Hindi, Bengali, Khmer and Arabic words at their marks, and from 3.10.3 on keeps them whole.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
for version in 3.10.2 3.10.3; do
    python -m venv "env$version"
    "env$version/bin/pip" install -q "nltk==$version" regex==2026.11.19
    "env$version/bin/python" - <<'PY'
import nltk
from nltk.tokenize import wordpunct_tokenize

for text in "हिन्दी भाषा", "কিতাব পড়ি", "ភាសាខ្មែរ", "كَتَبَ", "plain words":
    tokens = wordpunct_tokenize(text)
    print(f"{nltk.__version__}: {len(tokens)} tokens, {tokens}")
PY
done >seen
cat >recorded <<'SEEN'
3.10.2: 10 tokens, ['ह', 'ि', 'न', '्', 'द', 'ी', 'भ', 'ा', 'ष', 'ा']
3.10.2: 7 tokens, ['ক', 'ি', 'ত', 'া', 'ব', 'পড', '়ি']
3.10.2: 9 tokens, ['ភ', 'ា', 'ស', 'ា', 'ខ', '្', 'ម', 'ែ', 'រ']
3.10.2: 6 tokens, ['ك', 'َ', 'ت', 'َ', 'ب', 'َ']
3.10.2: 2 tokens, ['plain', 'words']
3.10.3: 2 tokens, ['हिन्दी', 'भाषा']
3.10.3: 2 tokens, ['কিতাব', 'পড়ি']
3.10.3: 1 tokens, ['ភាសាខ្មែរ']
3.10.3: 1 tokens, ['كَتَبَ']
3.10.3: 2 tokens, ['plain', 'words']
SEEN
echo "Packages:  nltk==3.10.2, nltk==3.10.3, regex==2026.11.19"
echo "Behaviour: A patch release of nltk gives other tokens: wordpunct_tokenize cut Hindi, Bengali, Khmer and Arabic words at their marks, and from 3.10.3 on keeps them whole."
echo "Expected:  Both give the same tokens: a patch release mends errors, and the pattern of this tokenizer is that of old."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
