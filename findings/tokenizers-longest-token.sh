#!/usr/bin/env bash
# A max_token_length of 5 makes tokens of at most four characters; only pairs of characters are made whatever the limit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q tokenizers==0.23.3
env/bin/python - >seen <<'PY'
from tokenizers import Tokenizer, models, trainers

# Each longer beginning of the word is rarer, so that merges add one letter each.
words = [word[:k] for word in ("abcdefgh", "აბგდევზთ") for k in range(2, 9) for _ in range(9 - k)]
for limit in (1, 3, 4, 5, 8, None):
    tokenizer = Tokenizer(models.BPE())
    trainer = trainers.BpeTrainer(vocab_size=1000, show_progress=False, max_token_length=limit)
    tokenizer.train_from_iterator(words, trainer)
    print("limit", limit, "longest token", max(map(len, tokenizer.get_vocab())))
PY
cat >recorded <<'SEEN'
limit 1 longest token 2
limit 3 longest token 2
limit 4 longest token 3
limit 5 longest token 4
limit 8 longest token 7
limit None longest token 8
SEEN
echo "Packages:  tokenizers==0.23.3"
echo "Behaviour: A max_token_length of 5 makes tokens of at most four characters; only pairs of characters are made whatever the limit."
echo "Expected:  Tokens of up to five: the limit is said to prevent tokens that are longer than it."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
