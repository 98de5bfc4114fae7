#!/usr/bin/env bash
# A romanized line may have more words than the line had, or fewer: the Ethiopic wordspace becomes a space, the zero-width space of Khmer nothing, and words of one mark or sign vanish.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q uroman==1.3.1.1
env/bin/python - >seen <<'PY'
from uroman import Uroman

romanize = Uroman().romanize_string
for line in "ሰላም፡ዓለም።", "ខ្ញុំ\u200bស្រឡាញ់\u200bភាសា", "сел ъ ь", "ー あ", "มา ๆ", "বড় বাড়ি":
    seen = romanize(line)
    print(len(line.replace("\u200b", " ").split()), len(seen.split()), repr(seen))
PY
cat >recorded <<'SEEN'
1 2 'salaame aalame.'
3 1 'khnyumsrolaanyophaasaa'
3 1 'sel  '
2 1 ' a'
2 2 'maa ²'
2 2 'bara baari'
SEEN
echo "Packages:  uroman==1.3.1.1"
echo "Behaviour: A romanized line may have more words than the line had, or fewer: the Ethiopic wordspace becomes a space, the zero-width space of Khmer nothing, and words of one mark or sign vanish."
echo "Expected:  As many words as before, so that links between words of romanized lines are links between words."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
