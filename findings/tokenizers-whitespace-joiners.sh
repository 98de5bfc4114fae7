#!/usr/bin/env bash
# Whitespace() is said to split by \w+|[^\w\s]+, but the same pattern in Split cuts other pieces at eight characters: the zero-width joiner and non-joiner, ², ³, ¹, ¼, ½ and ¾.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q tokenizers==0.23.3
env/bin/python - >seen <<'PY'
import sys

from tokenizers import Regex
from tokenizers.pre_tokenizers import Split, Whitespace

pattern = r"\w+|[^\w\s]+"
print("documented:", f"``{pattern}``" in Whitespace.__doc__)
whitespace, split = Whitespace(), Split(Regex(pattern), "removed", invert=True)
for words in ("می\u200cخواهم", "ශ්\u200dරී", "10 km²", "नमस्ते दुनिया"):
    print(*([piece for piece, _ in by.pre_tokenize_str(words)] for by in (whitespace, split)))
points = (point for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000)
texts = (f"a{chr(point)}a" for point in points)
print(*(f"{ord(t[1]):04X}" for t in texts if whitespace.pre_tokenize_str(t) != split.pre_tokenize_str(t)))
PY
cat >recorded <<'SEEN'
documented: True
['می\u200cخواهم'] ['می', '\u200c', 'خواهم']
['ශ්\u200dරී'] ['ශ්', '\u200d', 'රී']
['10', 'km', '²'] ['10', 'km²']
['नमस्ते', 'दुनिया'] ['नमस्ते', 'दुनिया']
00B2 00B3 00B9 00BC 00BD 00BE 200C 200D
SEEN
echo "Packages:  tokenizers==0.23.3"
echo 'Behaviour: Whitespace() is said to split by \w+|[^\w\s]+, but the same pattern in Split cuts other pieces at eight characters: the zero-width joiner and non-joiner, ², ³, ¹, ¼, ½ and ¾.'
echo "Expected:  The same pieces, so that a tokenizer that spells the pattern out cuts Persian and Sinhala words as Whitespace() does."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
