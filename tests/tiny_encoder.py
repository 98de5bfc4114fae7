"""A small encoder of random weights in a folder, as transformers writes them."""

import pytest

LAYERS = 3
LONGEST = 24


def write(folder, words):
    """Write a BERT whose WordPiece vocabulary has the given words and all their characters."""
    torch, transformers, _ = (
        pytest.importorskip(name, reason="pip install 'seggrid[neural]'")
        for name in ("torch", "transformers", "scipy")
    )
    letters = sorted({letter for word in words for letter in word})
    pieces = [*sorted(words), *letters, *(f"##{letter}" for letter in letters)]
    names = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *pieces])
    vocabulary = {name: number for number, name in enumerate(names)}
    tokenizer = transformers.BertTokenizer(
        vocab=vocabulary, do_lower_case=False, model_max_length=LONGEST
    )
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LONGEST,
        # A wide range, so that vectors differ.
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
