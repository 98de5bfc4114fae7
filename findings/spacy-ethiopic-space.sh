#!/usr/bin/env bash
# The blank tokenizer of Amharic does not cut at the Ethiopic wordspace, U+1361: words that it separates stay one token, even though it cuts the Ethiopic full stop off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q spacy==3.8.18
env/bin/python - >seen <<'PY'
import spacy

tokenizer = spacy.blank("am")
for line in "ሰላም ዓለም።", "ሰላም፡ዓለም።", "ቤቱ፡ትልቅ፡ነው።", "ሰላም፣ዓለም":
    print(line, [token.text for token in tokenizer(line)])
PY
cat >recorded <<'SEEN'
ሰላም ዓለም። ['ሰላም', 'ዓለም', '።']
ሰላም፡ዓለም። ['ሰላም፡ዓለም', '።']
ቤቱ፡ትልቅ፡ነው። ['ቤቱ፡ትልቅ፡ነው', '።']
ሰላም፣ዓለም ['ሰላም፣ዓለም']
SEEN
echo "Packages:  spacy==3.8.18"
echo "Behaviour: The blank tokenizer of Amharic does not cut at the Ethiopic wordspace, U+1361: words that it separates stay one token, even though it cuts the Ethiopic full stop off."
echo "Expected:  Words apart, since the mark stands between words and nowhere else."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
