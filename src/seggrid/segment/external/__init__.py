"""Tokenizers from elsewhere: read from their files and applied by their own libraries.

`huggingface`: a `tokenizer.json` of Hugging Face's `tokenizers`. `sentencepiece`: a `.model` of
sentencepiece. `tokens`: a text that is already tokenized, one sentence per line. A token keeps the text that
it has in the tokenizer's vocabulary; `seggrid.segment.token_offsets` finds the words that it overlaps.
"""
