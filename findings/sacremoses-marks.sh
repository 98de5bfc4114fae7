#!/usr/bin/env bash
# Words of Thai, Khmer and Burmese are cut at tone marks and at the signs that join or end consonants; those of Hindi and Bengali are not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q sacremoses==0.2.0
env/bin/python - >seen <<'PY'
from sacremoses import MosesTokenizer

words = {"hi": "हिन्दी", "bn": "ইন্টারনেট", "th": "น้ำตาล", "km": "ខ្មែរ", "my": "မြန်မာ"}
for language, word in words.items():
    print(language, *MosesTokenizer(lang=language).tokenize(word))
PY
cat >recorded <<'SEEN'
hi हिन्दी
bn ইন্টারনেট
th น ้ ำตาล
km ខ ្ មែរ
my မြန ် မာ
SEEN
echo "Packages:  sacremoses==0.2.0"
echo "Behaviour: Words of Thai, Khmer and Burmese are cut at tone marks and at the signs that join or end consonants; those of Hindi and Bengali are not."
echo "Expected:  All five whole, or Hindi cut at its virama as well."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
