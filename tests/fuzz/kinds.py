"""The kinds of input: how to make valid files, how to damage them, what to run on them."""

from array_kinds import make_arrays, run_arrays
from attack_kinds import (
    make_bomb,
    make_folder,
    make_ids,
    make_large_ids,
    make_packed,
    make_pipe,
    make_tmx,
    run_bomb,
    run_folder,
    run_ids,
    run_large_ids,
    run_packed,
    run_pipe,
    run_tmx,
)
from command_kind import make_command, run_command
from config_kind import make_config, run_config
from kind import Kind
from model_kinds import (
    make_foreign,
    make_model,
    make_ranks,
    make_text,
    make_tokenizer,
    run_foreign,
    run_model,
    run_ranks,
    run_text,
    run_tokenizer,
)
from mutation import mutate_json, mutate_npz, mutate_yaml
from text_kinds import make_odd_pair, make_pair, make_plain_texts, run_fast_align, run_pair
from word_kinds import make_celex, make_published, make_surface, run_published, run_reference

JSON = dict.fromkeys(("tokenizer.json", "vocab.json"), mutate_json)
ARRAYS = dict.fromkeys(("model.npz", "align.npz", "gold.npz", "score.npz"), mutate_npz)
KINDS: dict[str, Kind] = {
    "pair": Kind(make_pair, run_pair, share=5),
    "odd-pair": Kind(make_odd_pair, run_pair),
    "surface": Kind(make_surface, run_reference, share=2),
    "celex": Kind(make_celex, run_reference, share=2),
    "tokenizer": Kind(make_tokenizer, run_tokenizer, JSON, share=3),
    "model": Kind(make_model, run_model, share=3),
    "text": Kind(make_text, run_text, share=3),
    "foreign": Kind(make_foreign, run_foreign, JSON, share=2),
    "ranks": Kind(make_ranks, run_ranks),
    "arrays": Kind(make_arrays, run_arrays, ARRAYS, share=4),
    "fast-align": Kind(make_plain_texts, run_fast_align),
    "command": Kind(make_command, run_command, share=3),
    "config": Kind(make_config, run_config, {"config.yaml": mutate_yaml}, share=5),
    "published": Kind(make_published, run_published),
    "folder": Kind(make_folder, run_folder, valid=0.9),
    "ids": Kind(make_ids, run_ids, valid=0.5, share=2),
    "pipe": Kind(make_pipe, run_pipe),
    "packed": Kind(make_packed, run_packed, valid=0.5),
    "tmx": Kind(make_tmx, run_tmx, valid=0.5),
    "large-ids": Kind(make_large_ids, run_large_ids, JSON, valid=0.5),
    "bomb": Kind(make_bomb, run_bomb, valid=0.9),
}
