#!/usr/bin/env bash
# The default rule nmt_nfkc makes the zero-width non-joiner a space, which cuts a Persian word in two; the joiner stays.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q sentencepiece==0.2.1
env/bin/python - >seen <<'PY'
import io

import sentencepiece

made = io.BytesIO()
sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(["abc abd"] * 50), model_writer=made, model_type="char", vocab_size=10,
    hard_vocab_limit=False, normalization_rule_name="nmt_nfkc", add_dummy_prefix=False, minloglevel=2,
)
model = sentencepiece.SentencePieceProcessor(model_proto=made.getvalue())
for mark in "\u200c\u200d":
    words = model.normalize(f"\u0645\u06cc{mark}\u062e\u0648\u0627\u0647\u0645").split("\u2581")
    print(f"U+{ord(mark):04X} -> {len(words)} words")
PY
cat >recorded <<'SEEN'
U+200C -> 2 words
U+200D -> 1 words
SEEN
echo "Packages:  sentencepiece==0.2.1"
echo "Behaviour: The default rule nmt_nfkc makes the zero-width non-joiner a space, which cuts a Persian word in two; the joiner stays."
echo "Expected:  Both stay, or both go: each belongs to the spelling of a word."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
