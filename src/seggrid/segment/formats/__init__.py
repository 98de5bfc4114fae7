"""Models in the formats of other programs: lists of merges (subword-nmt, fastBPE, Hugging Face), Hugging
Face's `tokenizer.json` and `vocab.json`, and ranks of tiktoken. What a format cannot express is refused by
name."""
