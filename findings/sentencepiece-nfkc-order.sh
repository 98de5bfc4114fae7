#!/usr/bin/env bash
# The rule nfkc does not bring combining marks into canonical order, so that one text in two orders stays two texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q sentencepiece==0.2.1
env/bin/python - >seen <<'PY'
import io
import unicodedata

import sentencepiece

made = io.BytesIO()
sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(["abc abd"] * 50), model_writer=made, model_type="char", vocab_size=10,
    hard_vocab_limit=False, normalization_rule_name="nfkc", add_dummy_prefix=False, minloglevel=2,
)
model = sentencepiece.SentencePieceProcessor(model_proto=made.getvalue())
points = lambda text: " ".join(f"{ord(c):x}" for c in text)
for text in ("e\u0302\u0323", "\u0628\u0651\u064e", "\u0995\u09cd\u09bc"):
    print(f"{points(text)} -> {points(model.normalize(text))}; NFKC {points(unicodedata.normalize('NFKC', text))}")
PY
cat >recorded <<'SEEN'
65 302 323 -> ea 323; NFKC 1ec7
628 651 64e -> 628 651 64e; NFKC 628 64e 651
995 9cd 9bc -> 995 9cd 9bc; NFKC 995 9bc 9cd
SEEN
echo "Packages:  sentencepiece==0.2.1"
echo "Behaviour: The rule nfkc does not bring combining marks into canonical order, so that one text in two orders stays two texts."
echo "Expected:  What unicodedata.normalize does: equal texts for equivalent spellings (Vietnamese, Arabic, Bengali)."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
