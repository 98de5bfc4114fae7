"""The kinds of input: how to make valid files, how to damage them, what to run on them."""

from array_kinds import make_arrays, run_arrays
from command_kind import make_command, run_command
from config_kind import make_config, run_config
from kind import Kind, refuse_valid
from model_kinds import (
    make_foreign,
    make_model,
    make_text,
    make_tokenizer,
    run_foreign,
    run_model,
    run_text,
    run_tokenizer,
)
from mutation import mutate_json, mutate_npz, mutate_yaml
from text_kinds import make_odd_pair, make_pair, make_plain_texts, run_fast_align, run_pair
from word_kinds import make_celex, make_published, make_surface, run_published, run_reference

ARRAYS = ("model.npz", "align.npz", "gold.npz", "score.npz")
KINDS: dict[str, Kind] = {
    "pair": Kind(make_pair, refuse_valid(run_pair), share=5),
    "odd-pair": Kind(make_odd_pair, run_pair, share=1),
    "surface": Kind(make_surface, refuse_valid(run_reference), share=2),
    "celex": Kind(make_celex, refuse_valid(run_reference), share=2),
    "tokenizer": Kind(
        make_tokenizer,
        refuse_valid(run_tokenizer),
        {"tokenizer.json": mutate_json, "vocab.json": mutate_json},
        share=3,
    ),
    "model": Kind(make_model, refuse_valid(run_model), share=3),
    "text": Kind(make_text, refuse_valid(run_text), share=3),
    "foreign": Kind(
        make_foreign, refuse_valid(run_foreign), {"tokenizer.json": mutate_json}, share=1
    ),
    "arrays": Kind(
        make_arrays,
        refuse_valid(run_arrays),
        dict.fromkeys(("model.npz", "align.npz", "gold.npz", "score.npz"), mutate_npz),
        share=4,
    ),
    "fast-align": Kind(make_plain_texts, refuse_valid(run_fast_align), share=1),
    "command": Kind(make_command, refuse_valid(run_command), share=3),
    "config": Kind(make_config, refuse_valid(run_config), {"config.yaml": mutate_yaml}, share=5),
    "published": Kind(make_published, refuse_valid(run_published), share=1),
}
