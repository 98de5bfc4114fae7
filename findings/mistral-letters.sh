#!/usr/bin/env bash
# The vocabulary of 32,000 types that came first has tokens for 32 Khmer and 8 Ethiopic letters and signs; tekken, of 130,072, has none of either.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q mistral-common==1.13.1 sentencepiece==0.2.1
env/bin/python - >seen <<'PY'
import base64
import json
from importlib.resources import files
from unicodedata import name

import sentencepiece

data = files("mistral_common") / "data"
model = sentencepiece.SentencePieceProcessor(model_file=str(data / "tokenizer.model.v1"))
old = {model.id_to_piece(i) for i in range(len(model))}
tekken = json.loads((data / "tekken_240911.json").read_text())
size = tekken["config"]["default_vocab_size"] - tekken["config"]["default_num_special_tokens"]
new = {base64.b64decode(one["token_bytes"]).decode(errors="ignore") for one in tekken["vocab"][:size]}
print("types", len(old), size)
for script in "KHMER", "ETHIOPIC", "GEORGIAN", "THAI", "BENGALI":
    letters = {chr(c) for c in range(0x0900, 0x1800) if name(chr(c), "").startswith(f"{script} ")}
    print(script, len(letters), "code points; with a token:", len(letters & old), len(letters & new))
PY
cat >recorded <<'SEEN'
types 32000 130072
KHMER 114 code points; with a token: 32 0
ETHIOPIC 384 code points; with a token: 8 0
GEORGIAN 87 code points; with a token: 29 31
THAI 87 code points; with a token: 57 63
BENGALI 96 code points; with a token: 33 61
SEEN
echo "Packages:  mistral-common==1.13.1 sentencepiece==0.2.1"
echo "Behaviour: The vocabulary of 32,000 types that came first has tokens for 32 Khmer and 8 Ethiopic letters and signs; tekken, of 130,072, has none of either."
echo "Expected:  More letters in a vocabulary four times as large that came later and was made for more languages."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
