#!/usr/bin/env bash
# Georgian capitals become nothing, so that a word in capitals is lost; small letters become Latin ones.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q unidecode==1.4.0 anyascii==0.3.3
env/bin/python - >seen <<'PY'
from anyascii import anyascii
from unidecode import unidecode

for word in "საქართველო", "საქართველო".upper(), "Ελλάδα".upper(), "Հայաստան".upper():
    print(word, "unidecode", repr(unidecode(word)), "anyascii", repr(anyascii(word)))
PY
cat >recorded <<'SEEN'
საქართველო unidecode 'sak`art`velo' anyascii 'sakartvelo'
ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ unidecode '' anyascii 'SAKARTVELO'
ΕΛΛΆΔΑ unidecode 'ELLADA' anyascii 'ELLADA'
ՀԱՅԱՍՏԱՆ unidecode 'HAYASTAN' anyascii 'HAYASTAN'
SEEN
echo "Packages:  unidecode==1.4.0 anyascii==0.3.3"
echo "Behaviour: Georgian capitals become nothing, so that a word in capitals is lost; small letters become Latin ones."
echo "Expected:  SAKARTVELO or the like, as by anyascii: the capitals are letters of Unicode since 2018."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
