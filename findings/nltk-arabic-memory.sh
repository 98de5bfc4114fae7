#!/usr/bin/env bash
# The Arabic stemmer of nltk does not forget: once it has stemmed some word, it leaves verbs the ending that it took away before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q nltk==3.10.4
env/bin/python - >seen <<'PY'
from nltk.stem.snowball import SnowballStemmer

VERBS = "كانوا", "قالوا", "قاموا", "قتلوا"
for word in "كتاب", "مدرسة", "كتابنا", "بيتهم", "يكتبون":
    stemmer = SnowballStemmer("arabic")
    before = [stemmer.stem(verb) for verb in VERBS]
    stemmer.stem(word)
    after = [stemmer.stem(verb) for verb in VERBS]
    print(*before, "then", word, "then", *after)
PY
cat >recorded <<'SEEN'
كان قال قام قتل then كتاب then كان قال قام قتل
كان قال قام قتل then مدرسة then كان قال قام قتل
كان قال قام قتل then كتابنا then كانو قالو قامو قتلو
كان قال قام قتل then بيتهم then كانو قالو قامو قتلو
كان قال قام قتل then يكتبون then كان قال قام قتل
SEEN
echo "Packages:  nltk==3.10.4"
echo "Behaviour: The Arabic stemmer of nltk does not forget: once it has stemmed some word, it leaves verbs the ending that it took away before."
echo "Expected:  A verb has one stem, whatever was stemmed before it: that of 'they were' is that of 'he was'."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
