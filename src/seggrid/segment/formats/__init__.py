"""Models in the formats of other programs: lists of merges (subword-nmt, fastBPE, Hugging Face), and Hugging
Face's `tokenizer.json` and `vocab.json`. What a format cannot express is refused by name."""
