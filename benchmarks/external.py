"""Time of applying a tokenizer from elsewhere to a long text, compared with its library's own batch call and,
for byte-level BPE, with gigatoken if that is installed.

    python benchmarks/external.py data/thesis/eng-deu/eng_with_10k.txt --lines 1000000

Texts are `id<TAB>sentence`, repeated up to the given number of lines; in each repetition every 50th word is
replaced by a made-up one, so that there are more distinct words than in a real text of that length.
Tokenizers of 8,000 types are trained on the text as it is. Ours returns a segmentation, which maps tokens to
words; the batch call returns objects of the library with offsets (Hugging Face) or pieces (sentencepiece).
All on one thread; the best of several runs, in turns.
"""

import argparse
import gc
import io
import os
import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from seggrid.segment.formats.ranks import PATTERNS
from seggrid.text.text_files import read_text
from timing import timed

EVERY = 50


def long_text(sentences, lines):
    """Sentences, repeated, with some words replaced by made-up ones in each repetition."""
    made, words = [], 0
    while len(made) < lines:
        round_ = len(made) // len(sentences)
        for sentence in sentences[: lines - len(made)]:
            sentence = list(sentence)
            for j in range(len(sentence)):
                words += 1
                if round_ and words % EVERY == 0:
                    sentence[j] += f"x{words % 9973}"
            made.append(sentence)
    return made


def hugging_face(kind, lines, size, folder):
    """Our call and the library's for a trained tokenizer.json, and gigatoken's for byte-level BPE."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

    from seggrid.segment.external.tokenizer_file import read_tokenizer

    options = {"vocab_size": size, "show_progress": False}
    if kind == "WordPiece":
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.normalizer = normalizers.BertNormalizer()
        trainer = trainers.WordPieceTrainer(**options, special_tokens=["[UNK]"])
    else:
        tokenizer = Tokenizer(models.BPE())
        to_bytes = partial(pre_tokenizers.ByteLevel, add_prefix_space=False)
        tokenizer.pre_tokenizer = to_bytes()
        if kind == "Llama 3":
            split = pre_tokenizers.Split(Regex(PATTERNS["cl100k"]), "isolated")
            tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, to_bytes(use_regex=False)])
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(**options, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.save(f"{folder}/tokenizer.json")
    ours = read_tokenizer(f"{folder}/tokenizer.json")
    calls = [lambda text: tokenizer.encode_batch(text, add_special_tokens=False)]
    if kind == "byte-level BPE" and find_spec("gigatoken"):
        from gigatoken import Tokenizer as GigaToken

        giga = GigaToken(f"{folder}/tokenizer.json")
        calls.append(partial(giga.encode_batch_list, parallel=False))
    return ours, *calls


def sentencepiece(kind, lines, size, folder):
    """Our call and the library's for a trained `.model`."""
    import sentencepiece as library

    from seggrid.segment.external.sentencepiece import SentencePiece

    file = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=file,
        vocab_size=size,
        model_type=kind.split()[1],
        minloglevel=2,
    )
    processor = library.SentencePieceProcessor(model_proto=file.getvalue())
    return SentencePiece(file.getvalue()), lambda text: processor.Encode(
        text, out_type=str, num_threads=1
    )


KINDS = {
    "byte-level BPE": hugging_face,
    "WordPiece": hugging_face,
    "Llama 3": hugging_face,
    "sentencepiece bpe": sentencepiece,
    "sentencepiece unigram": sentencepiece,
}


def main():
    """Train, time, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", type=Path)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--size", type=int, default=8_000, help="types (8,000)")
    parser.add_argument("--kind", choices=KINDS, nargs="+", default=list(KINDS))
    arguments = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    sentences, _ = read_text(arguments.text, "tsv")
    text = long_text(sentences, arguments.lines)
    lines = [" ".join(words) for words in text]
    # A garbage collection would go through the whole text, and falls on the one or the other by chance.
    gc.freeze()
    print(f"{len(text):,} lines, {len({w for s in text for w in s}):,} distinct words")
    print(
        f"{'':40}{'ours, CPU s':>14}{'library, CPU s':>16}{'ours / library':>16}{'gigatoken':>12}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kind:
            given = [" ".join(words) for words in sentences]
            ours, *theirs = KINDS[kind](kind, given, arguments.size, folder)
            works = [partial(ours.segment, text), *(partial(call, lines) for call in theirs)]
            best = [float("inf")] * len(works)
            for _ in range(arguments.runs):
                for k, work in enumerate(works):
                    _, _, cpu = timed(work)
                    best[k] = min(best[k], cpu)
            giga = f"{best[2]:12.2f}" if len(best) > 2 else ""
            ratio = best[0] / best[1]
            print(f"{kind:40}{best[0]:14.2f}{best[1]:16.2f}{ratio:16.2f}{giga}", flush=True)


if __name__ == "__main__":
    main()
