#!/usr/bin/env bash
# epitran reads the Turkish capital I as i, not as dotless ı, and leaves a combining dot in the sounds of words with İ.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q epitran==1.35.3 panphon==0.22.2
env/bin/python - >seen <<'PY'
from epitran import Epitran

turkish = Epitran("tur-Latn")
for words in "ısırgan Isırgan ISIRGAN", "kız Kız KIZ", "istanbul İstanbul İSTANBUL", "okul Okul OKUL":
    sounds = [turkish.transliterate(word) for word in words.split()]
    print(f"{words}: {' '.join(sounds)}, lengths {[*map(len, sounds)]}")
PY
cat >recorded <<'SEEN'
ısırgan Isırgan ISIRGAN: ɯsɯɾɡan isɯɾɡan isiɾɡan, lengths [7, 7, 7]
kız Kız KIZ: kɯz kɯz kiz, lengths [3, 3, 3]
istanbul İstanbul İSTANBUL: istanbul i̇stanbul i̇stanbul, lengths [8, 9, 9]
okul Okul OKUL: okul okul okul, lengths [4, 4, 4]
SEEN
echo "Packages:  epitran==1.35.3, panphon==0.22.2"
echo "Behaviour: epitran reads the Turkish capital I as i, not as dotless ı, and leaves a combining dot in the sounds of words with İ."
echo "Expected:  A word has the same sounds in capitals: in Turkish, I is the capital of ı, and İ that of i."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
