#!/usr/bin/env bash
# o200k, of 200,000 types, has a token for each Georgian letter and for no Ethiopic one; Gemma 3 has 261 of 326.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q splintr-rs==0.22.0
env/bin/python - >seen <<'PY'
import splintr

scripts = {"Georgian": (0x10D0, 0x10F0), "Burmese": (0x1000, 0x102A), "Ethiopic": (0x1200, 0x135A)}
print("letters:", *(name for name in scripts))
for vocabulary in ("o200k_base", "qwen3", "gemma3", "deepseek_v3", "llama3"):
    tokenizer = splintr.Tokenizer.from_pretrained(vocabulary)
    counts = []
    for first, last in scripts.values():
        letters = [x for x in map(chr, range(first, last + 1)) if x.isalpha()]
        whole = sum(len(tokenizer.encode(x)) == 1 for x in letters)
        counts.append(f"{whole}/{len(letters)}")
    print(f"{vocabulary}:", *counts)
PY
cat >recorded <<'SEEN'
letters: Georgian Burmese Ethiopic
o200k_base: 33/33 26/43 0/326
qwen3: 31/33 32/43 112/326
gemma3: 33/33 40/43 261/326
deepseek_v3: 17/33 9/43 0/326
llama3: 0/33 0/43 0/326
SEEN
echo "Packages:  splintr-rs==0.22.0, which carries the vocabularies of o200k (GPT-4o), Qwen 3, Gemma 3, DeepSeek 3 and Llama 3"
echo "Behaviour: No letter of Ethiopic (Amharic, Tigrinya) is one token of o200k: each is two, of parts of a character."
echo "Expected:  Most of its frequent letters, as of Georgian, which has fewer speakers."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
