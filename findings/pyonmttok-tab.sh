#!/usr/bin/env bash
# A tab or line break between two words is dropped and the words become one token, in three of five modes; the markers that should bring the text back say nothing of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q pyonmttok==1.38.1
env/bin/python - >seen <<'PY'
from pyonmttok import Tokenizer

for mode in ("none", "space", "conservative", "aggressive", "char"):
    tokenizer = Tokenizer(mode, joiner_annotate=True)
    for line in ("das\tHaus", "das\nHaus", "das\u3000Haus"):
        tokens, _ = tokenizer.tokenize(line)
        print(mode, repr(line), tokens, "->", repr(tokenizer.detokenize(tokens)))
PY
cat >recorded <<'SEEN'
none 'das\tHaus' ['das\tHaus'] -> 'das\tHaus'
none 'das\nHaus' ['das\nHaus'] -> 'das\nHaus'
none 'das\u3000Haus' ['das\u3000Haus'] -> 'das\u3000Haus'
space 'das\tHaus' ['das\tHaus'] -> 'das\tHaus'
space 'das\nHaus' ['das\nHaus'] -> 'das\nHaus'
space 'das\u3000Haus' ['das', 'Haus'] -> 'das Haus'
conservative 'das\tHaus' ['dasHaus'] -> 'dasHaus'
conservative 'das\nHaus' ['dasHaus'] -> 'dasHaus'
conservative 'das\u3000Haus' ['das', 'Haus'] -> 'das Haus'
aggressive 'das\tHaus' ['dasHaus'] -> 'dasHaus'
aggressive 'das\nHaus' ['dasHaus'] -> 'dasHaus'
aggressive 'das\u3000Haus' ['das', 'Haus'] -> 'das Haus'
char 'das\tHaus' ['d', '￭a', '￭s', '￭H', '￭a', '￭u', '￭s'] -> 'dasHaus'
char 'das\nHaus' ['d', '￭a', '￭s', '￭H', '￭a', '￭u', '￭s'] -> 'dasHaus'
char 'das\u3000Haus' ['d', '￭a', '￭s', 'H', '￭a', '￭u', '￭s'] -> 'das Haus'
SEEN
echo "Packages:  pyonmttok==1.38.1"
echo "Behaviour: A tab or line break between two words is dropped and the words become one token, in three of five modes; the markers that should bring the text back say nothing of it."
echo "Expected:  Two tokens, as an ideographic space gives: any white space separates words."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
