#!/usr/bin/env bash
# text_to_words of blingfire makes nothing of words in N'Ko, Tifinagh, Adlam, Vai or Georgian capitals, and drops marks of Burmese ones.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q blingfire==0.1.8 numpy==2.4.6
env/bin/python - >seen <<'PY'
from blingfire import text_to_words

for name, text in {
    "Khmer": "ភាសា ខ្មែរ",
    "Ethiopic": "ሰላም ዓለም",
    "Cherokee": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
    "Georgian": "ქართული ენა",
    "Georgian capitals": "ᲥᲐᲠᲗᲣᲚᲘ ᲔᲜᲐ",
    "N'Ko": "ߒߞߏ ߞߊ߲",
    "Tifinagh": "ⵜⵓⵜⵍⴰⵢⵜ ⵜⴰⵎⴰⵣⵉⵖⵜ",
    "Adlam": "𞤆𞤵𞤤𞤢𞤪 𞤸𞤢𞤤𞤢",
    "Vai": "ꕙꔤ ꔫꕩ",
    "Burmese": "မြန်မာ စကား",
}.items():
    words = text_to_words(text)
    kept, given = (len(line.replace(" ", "")) for line in (words, text))
    print(f"{name}: {kept} of {given} characters, {words!r}")
PY
cat >recorded <<'SEEN'
Khmer: 9 of 9 characters, 'ភាសា ខ្មែរ'
Ethiopic: 6 of 6 characters, 'ሰላም ዓለም'
Cherokee: 9 of 9 characters, 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ'
Georgian: 10 of 10 characters, 'ქართული ენა'
Georgian capitals: 0 of 10 characters, ''
N'Ko: 0 of 6 characters, ''
Tifinagh: 0 of 15 characters, ''
Adlam: 0 of 9 characters, ''
Vai: 0 of 4 characters, ''
Burmese: 8 of 10 characters, 'မ န မာ စကား'
SEEN
echo "Packages:  blingfire==0.1.8, numpy==2.4.6"
echo "Behaviour: text_to_words of blingfire makes nothing of words in N'Ko, Tifinagh, Adlam, Vai or Georgian capitals, and drops marks of Burmese ones."
echo "Expected:  All letters come back, in whatever script, as those of Khmer, Ethiopic and Cherokee do; at worst, words are cut."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
