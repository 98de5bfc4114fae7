"""Tokenizers from elsewhere: their files read, applied by their own libraries, laid on words.

`huggingface`: a `tokenizer.json` of Hugging Face's `tokenizers`. `sentencepiece`: a `.model` of
sentencepiece. `tokens`: a text that was cut already, a sentence a line. A token keeps the text that it
has in the tokenizer's vocabulary; `laying` finds the words that it overlaps.
"""
