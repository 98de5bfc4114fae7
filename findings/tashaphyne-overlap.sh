#!/usr/bin/env bash
# Prefix, stem and suffix of an Arabic word overlap: in 12 of 20 words a letter is in two of them, and joined they are longer than the word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q Tashaphyne==0.3.6 PyArabic==0.6.15
env/bin/python - >seen <<'PY'
from tashaphyne.stemming import ArabicLightStemmer

WORDS = (
    "المدرسة المسلمون المعلمات المكتبة المهندسين المدينة المطار يستخدمون يستقبلون مستشفى استخدام البيت "
    "الكتاب والكتاب الطالب السيارات كتابهم بيتها يكتبون سيذهبون"
).split()
stemmer, longer = ArabicLightStemmer(), 0
for word in WORDS:
    stemmer.light_stem(word)
    pieces = [stemmer.get_prefix(), stemmer.get_stem(), stemmer.get_suffix()]
    if "".join(pieces) != word:
        longer += 1
        print(word, "=", " + ".join(piece for piece in pieces if piece))
print(longer, "of", len(WORDS))
PY
cat >recorded <<'SEEN'
المدرسة = الم + مدرس + ة
المسلمون = الم + مسلم + ون
المعلمات = الم + معلم + ات
المكتبة = الم + مكتب + ة
المهندسين = الم + مهندس + ين
المدينة = الم + مدين + ة
المطار = الم + مطار
يستخدمون = يست + يستخدم + ون
يستقبلون = يست + يستقبل + ون
مستشفى = مست + مستشفى + ى
استخدام = است + استخدام
البيت = ال + بيت + ت
12 of 20
SEEN
echo "Packages:  Tashaphyne==0.3.6 PyArabic==0.6.15"
echo "Behaviour: Prefix, stem and suffix of an Arabic word overlap: in 12 of 20 words a letter is in two of them, and joined they are longer than the word."
echo "Expected:  Three pieces that joined are the word, so that they are a segmentation of it."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
