"""`seggrid convert`: convert a BPE from and into formats of subword-nmt and Hugging Face tokenizers."""

from __future__ import annotations

import argparse
from pathlib import Path

from seggrid.base.lines import read_lines
from seggrid.cli.arguments import read_counted
from seggrid.cli.outputs import check_outputs
from seggrid.segment.bpe.formats import (
    read_merges,
    read_tokenizer,
    write_merges,
    write_tokenizer,
    write_vocabulary,
)
from seggrid.segment.bpe.model import MARKINGS, BPEModel, read_model, write_model

FORMATS = ("model", "merges", "vocabulary", "tokenizer")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: input, formats, output."""
    parser.add_argument("input", help="a model of seggrid learn, merges.txt, or tokenizer.json")
    parser.add_argument(
        "--to",
        choices=FORMATS,
        required=True,
        help="seggrid's model, merges.txt (subword-nmt's codes if ends of words are marked), "
        "vocab.json, or tokenizer.json",
    )
    parser.add_argument(
        "--marking",
        choices=MARKINGS,
        default="end",
        help="how merges.txt marks words, if it is read: by </w> at their ends (subword-nmt), by ## where "
        "they continue (start), or by a symbol of its own",
    )
    parser.add_argument("--text", help="a text whose characters are added to the vocabulary")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the new file")


def run(arguments: argparse.Namespace) -> None:
    """Read and write."""
    check_outputs(arguments, "input", "text")
    model = _read(arguments.input, arguments.marking)
    sentences = read_counted(arguments.text)
    alphabet = {character for words in sentences for word in words for character in word}
    if arguments.to == "model":
        write_model(model, arguments.output)
    elif arguments.to == "merges":
        write_merges(model, arguments.output)
    elif arguments.to == "vocabulary":
        write_vocabulary(model, arguments.output, alphabet)
    else:
        write_tokenizer(model, arguments.output, alphabet)


def _read(path: str | Path, marking: str) -> BPEModel:
    """Read a model in any format, which is recognized by the beginning of the file."""
    first = next(iter(read_lines(path)), "")
    if first.startswith("#version:"):
        return read_merges(path, marking=marking)
    return read_tokenizer(path) if first.startswith("{") else read_model(path)
