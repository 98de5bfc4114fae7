"""sentencepiece's own learners of BPE and of unigram language models (Kudo and Richardson 2018)."""
