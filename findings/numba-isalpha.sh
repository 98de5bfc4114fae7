#!/usr/bin/env bash
# In compiled code a test of characters answers with a number: 2 for A to Z, 1 for other letters, 4 for digits where `isalnum` asks.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q numba==0.68.1 numpy==2.4.6
env/bin/python - >seen <<'PY'
from numba import njit


def letters(word):
    found = 0
    for character in word:
        found += character.isalpha()
    return found


def letters_and_digits(word):
    found = 0
    for character in word:
        found += character.isalnum()
    return found


for count in letters, letters_and_digits:
    for word in ("word", "Word", "WORD", "ΩΩ", "b2"):
        print(f"{count.__name__}({word}): {njit(count)(word)}, Python {count(word)}")
PY
cat >recorded <<'SEEN'
letters(word): 4, Python 4
letters(Word): 5, Python 4
letters(WORD): 8, Python 4
letters(ΩΩ): 2, Python 2
letters(b2): 1, Python 1
letters_and_digits(word): 4, Python 4
letters_and_digits(Word): 5, Python 4
letters_and_digits(WORD): 8, Python 4
letters_and_digits(ΩΩ): 2, Python 2
letters_and_digits(b2): 5, Python 2
SEEN
echo "Packages:  numba==0.68.1 numpy==2.4.6"
echo "Behaviour: In compiled code a sum of isalpha counts each of A to Z twice, and one of isalnum each ASCII digit four times."
echo "Expected:  The sums of Python, since isalpha and isalnum are True or False."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
