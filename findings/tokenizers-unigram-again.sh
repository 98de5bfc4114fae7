#!/usr/bin/env bash
# A unigram model that is trained twice on the same text has the same pieces with other scores, even in one process with one thread.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONUTF8=1 PIP_DISABLE_PIP_VERSION_CHECK=1
python -m venv env
env/bin/pip install -q tokenizers==0.23.3
env/bin/python - >seen <<'PY'
import json
import os
import random

os.environ |= {"TOKENIZERS_PARALLELISM": "false", "RAYON_NUM_THREADS": "1"}
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

random.seed(1)
words = ["".join(random.choices("ka to mi re su na po li".split(), k=random.randint(1, 4))) for _ in range(4000)]


def train(model, trainer):
    tokenizer = Tokenizer(model())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.train_from_iterator(words, trainer(vocab_size=120, show_progress=False))
    return json.loads(tokenizer.to_str())["model"]


bpe = [json.dumps(train(models.BPE, trainers.BpeTrainer)["merges"]) for _ in range(5)]
unigram = [dict(map(tuple, train(models.Unigram, trainers.UnigramTrainer)["vocab"])) for _ in range(5)]
print("BPE: different merges in 5 trainings:", len(set(bpe)))
print("unigram: different sets of pieces:", len(set(map(frozenset, unigram))))
print("unigram: more than one set of scores:", any(one != unigram[0] for one in unigram))
PY
cat >recorded <<'SEEN'
BPE: different merges in 5 trainings: 1
unigram: different sets of pieces: 1
unigram: more than one set of scores: True
SEEN
echo "Packages:  tokenizers==0.23.3"
echo "Behaviour: A unigram model that is trained twice on the same text has the same pieces with other scores, even in one process with one thread."
echo "Expected:  The same scores: the trainer draws nothing at random, and that of BPE gives the same merges each time."
echo "Seen:"
cat seen
diff recorded seen && echo "As recorded." || { echo "Changed." >&2; exit 1; }
