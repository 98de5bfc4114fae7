#!/usr/bin/env bash
# A number such as 12.5 stays whole in Latin digits, but for one that begins the line; in Bengali or Devanagari digits it is cut at its point, commas and slashes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q indic-nlp-library==0.92
env/bin/python - >seen <<'PY'
from indicnlp.tokenize.indic_tokenize import trivial_tokenize

for language, line in (
    ("bn", "দাম 12.5 টাকা"),
    ("bn", "12.5 টাকা"),
    ("bn", "দাম ১২.৫ টাকা"),
    ("bn", "দাম 3,000 ৩,০০০"),
    ("hi", "दिन 20/5/2020 २०/५/२०२०"),
):
    print(language, line, trivial_tokenize(line, language))
PY
cat >recorded <<'SEEN'
bn দাম 12.5 টাকা ['দাম', '12.5', 'টাকা']
bn 12.5 টাকা ['12', '.', '5', 'টাকা']
bn দাম ১২.৫ টাকা ['দাম', '১২', '.', '৫', 'টাকা']
bn দাম 3,000 ৩,০০০ ['দাম', '3,000', '৩', ',', '০০০']
hi दिन 20/5/2020 २०/५/२०२० ['दिन', '20/5/2020', '२०', '/', '५', '/', '२०२०']
SEEN
echo "Packages:  indic-nlp-library==0.92"
echo "Behaviour: A number such as 12.5 stays whole in Latin digits, but for one that begins the line; in Bengali or Devanagari digits it is cut at its point, commas and slashes."
echo "Expected:  Whole in both, in a tokenizer that is made for languages with digits of their own."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
