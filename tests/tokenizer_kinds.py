"""Tokenizers of Hugging Face's `tokenizers`, one of each kind that is read."""

from tokenizers import (
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from seggrid.segment.formats.ranks import PATTERNS

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def byte_level(prefix=False, size=600, **options):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    if prefix:
        tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    return tokenizer, trainers.BpeTrainer(
        vocab_size=size, show_progress=False, initial_alphabet=alphabet, **options
    )


def trained_on_bytes(lines, size, **options):
    """A byte-level tokenizer that has learned on lines."""
    tokenizer, trainer = byte_level(size=size, **options)
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer


def metaspace(**options):
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(**options)
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer, trainers.BpeTrainer(
        vocab_size=700, show_progress=False, limit_alphabet=40, special_tokens=["<unk>", *BYTES]
    )


def word_piece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.enable_truncation(5)
    return tokenizer, trainers.WordPieceTrainer(
        vocab_size=500, show_progress=False, special_tokens=["[UNK]"]
    )


def unigram(split=True):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(split=split)
    tokenizer.normalizer = normalizers.NFKC()
    return tokenizer, trainers.UnigramTrainer(
        vocab_size=500, show_progress=False, special_tokens=["<unk>"], unk_token="<unk>"
    )


def pattern():
    """As in Llama 3."""
    tokenizer, trainer = byte_level()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERNS["cl100k"]), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return tokenizer, trainer


def split_at_spaces():
    """Pieces after the first of a word marked by `##`, a BPE of whole words."""
    tokenizer = Tokenizer(models.BPE(unk_token="[UNK]", continuing_subword_prefix="##"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "removed")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Strip()])
    return tokenizer, trainers.BpeTrainer(
        vocab_size=500,
        show_progress=False,
        special_tokens=["[UNK]"],
        continuing_subword_prefix="##",
    )


def stripped():
    """The spaces at the ends of a text taken away."""
    tokenizer, trainer = metaspace(prepend_scheme="never")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Strip()])
    return tokenizer, trainer


def plain_metaspace():
    tokenizer, trainer = metaspace()
    tokenizer.normalizer = None
    return tokenizer, trainer


def to_whole_sentences(tokenizer):
    """As in Llama 2: a normalizer adds `▁`, and merges learned within words span whole sentences."""
    tokenizer.pre_tokenizer = None
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )


def raw_spaces():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    return tokenizer, trainers.BpeTrainer(
        vocab_size=300, show_progress=False, special_tokens=["<unk>"]
    )


KINDS = {
    "byte-level": byte_level,
    "byte-level, prefix": lambda: byte_level(prefix=True),
    "metaspace, byte fallback": metaspace,
    "metaspace, first": lambda: metaspace(prepend_scheme="first"),
    "metaspace, never, stripped": stripped,
    "Llama 2": plain_metaspace,
    "Llama 3": pattern,
    "raw spaces": raw_spaces,
    "WordPiece": word_piece,
    "split at spaces": split_at_spaces,
    "unigram": unigram,
    "unigram across words": lambda: unigram(split=False),
}

TRAINED = {"Llama 2": to_whole_sentences}
"""What is changed after the training."""
