#!/usr/bin/env bash
# The pre-tokenizer UnicodeScripts loses words of a script that it does not know, such as Yezidi or Georgian capitals, where they begin a line; elsewhere it keeps them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q tokenizers==0.23.3
env/bin/python - >seen <<'PY'
from tokenizers.pre_tokenizers import UnicodeScripts

for name, word in {
    "Georgian": "ენა",
    "Georgian capitals": "ᲔᲜᲐ",
    "Yezidi": "𐺀𐺁𐺂",
    "Vithkuqi": "𐕰𐕱𐕲",
    "Hanifi Rohingya": "𐴀𐴁𐴂",
    "Wancho": "𞋁𞋂𞋃",
    "Ethiopic of Gurage": "𞟠𞟡",
}.items():
    kept = []
    for text in word, f"{word} one", f"one {word}":
        parts = [part for part, _ in UnicodeScripts().pre_tokenize_str(text)]
        kept.append(f"{sum(map(len, parts))} of {len(text)}")
    print(f"{name}: alone {kept[0]} characters, first {kept[1]}, last {kept[2]}")
PY
cat >recorded <<'SEEN'
Georgian: alone 3 of 3 characters, first 7 of 7, last 7 of 7
Georgian capitals: alone 0 of 3 characters, first 3 of 7, last 7 of 7
Yezidi: alone 0 of 3 characters, first 3 of 7, last 7 of 7
Vithkuqi: alone 0 of 3 characters, first 3 of 7, last 7 of 7
Hanifi Rohingya: alone 0 of 3 characters, first 3 of 7, last 7 of 7
Wancho: alone 0 of 3 characters, first 3 of 7, last 7 of 7
Ethiopic of Gurage: alone 0 of 2 characters, first 3 of 6, last 6 of 6
SEEN
echo "Packages:  tokenizers==0.23.3"
echo "Behaviour: The pre-tokenizer UnicodeScripts loses words of a script that it does not know, such as Yezidi or Georgian capitals, where they begin a line; elsewhere it keeps them."
echo "Expected:  All text is in some pretoken, and the letters of an unknown script are a pretoken of their own."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
