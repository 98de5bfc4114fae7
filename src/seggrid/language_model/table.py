"""The tables of language models: settings, scores, comparisons, losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from seggrid.language_model.measures import (
    MEASURES,
    difference,
    interval,
    measure,
    verdict,
)
from seggrid.language_model.presets import PRESETS
from seggrid.language_model.progress import Progress
from seggrid.language_model.sentence_scores import SentenceScores
from seggrid.language_model.sequences import FRAME

SETTINGS = ("continues", "pair", "side", "text", "segmentation", "size", "seed")
"""Columns of a model's settings, as in the config."""

OTHER_TEXT = "other test sentences"
"""The verdict on models that cannot be compared."""

_PER_CHARACTER = MEASURES.index("bits_per_character")


def model_table(
    plans: Sequence[Mapping[str, Any]],
    progress: Mapping[str, Progress],
    vocabularies: Mapping[str, int],
    scores: Mapping[str, SentenceScores],
    *,
    rounds: int,
    seed: int,
) -> pd.DataFrame:
    """One row for each model: `results/language_model.csv`.

    Args:
        plans: settings of each model, including `SETTINGS`, `name` and `sequence`.
        progress, vocabularies, scores: training progress, number of types and test scores of each model, by
            name.
        rounds, seed: number of resamples and seed of the bootstrap.

    Returns:
        Columns: model, `SETTINGS`, parameters, vocabulary, steps, tokens (of all batches), sentences (of the
        test), tokens_per_word, unknown (share of test tokens), cut (share of test sentences
        that are longer than a sequence, and so scored in pieces), each of `MEASURES` with `_low` and `_high`,
        validation_loss.
    """
    rows = []
    for plan in plans:
        name = plan["name"]
        own, trained = scores[name], progress[name]
        preset = PRESETS[plan["size"]]
        row = {
            "model": name,
            **{key: plan[key] if plan[key] is not None else "" for key in SETTINGS},
            "parameters": preset.parameters(vocabularies[name], plan["sequence"]),
            "vocabulary": vocabularies[name],
            "steps": trained.steps,
            "tokens": trained.tokens,
            "sentences": len(own.pll),
            "tokens_per_word": own.tokens.sum() / own.words.sum(),
            "unknown": own.unknown.sum() / own.tokens.sum(),
            "cut": (own.tokens > plan["sequence"] - FRAME).mean(),
        }
        ends = interval(own, rounds, seed)
        for what, value, (low, high) in zip(MEASURES, measure(own), ends, strict=True):
            row |= {what: value, f"{what}_low": low, f"{what}_high": high}
        row["validation_loss"] = trained.validation_loss
        rows.append(row)
    return pd.DataFrame(rows)


def comparison_table(
    plans: Sequence[Mapping[str, Any]],
    scores: Mapping[str, SentenceScores],
    *,
    rounds: int,
    seed: int,
) -> pd.DataFrame:
    """One row for each comparison of two models: `results/language_model_comparisons.csv`.

    A model is compared with the model that it continues and with those in its `versus`. Arguments are as for
    `model_table`.

    Returns:
        Columns: model, other, relation (`continues` or `versus`), pppl_ratio, and the differences of
        `bits_per_character` and `bits_per_word` as `delta_…`, all with `_low` and `_high`; and the
        `verdict` on bits per character, `OTHER_TEXT` with empty figures for models with different test
        sentences.
    """
    names = [
        ("pppl_ratio" if what == "pppl" else f"delta_{what}") + end
        for what in MEASURES
        for end in ("", "_low", "_high")
    ]
    rows = []
    for plan in plans:
        for other, relation in _others(plan):
            ours, theirs = scores[plan["name"]], scores[other]
            row = {"model": plan["name"], "other": other, "relation": relation}
            if ours.same_text(theirs):
                values = difference(ours, theirs, rounds, seed)
                row |= dict(zip(names, values.ravel(), strict=True))
                row["verdict"] = verdict(*values[_PER_CHARACTER, 1:])
            else:
                row["verdict"] = OTHER_TEXT
            rows.append(row)
    return pd.DataFrame(rows, columns=["model", "other", "relation", *names, "verdict"])


def loss_table(progress: Mapping[str, Progress]) -> pd.DataFrame:
    """The loss of each step of each model: `results/language_model_losses.csv`.

    Returns:
        Columns: model, step, loss, validation_loss (missing where it was not computed). Steps of the models
        that a model continues are included.
    """
    rows = [(name, *entry) for name, own in progress.items() for entry in own.losses]
    return pd.DataFrame(rows, columns=["model", "step", "loss", "validation_loss"])


def _others(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if plan["continues"]:
        yield plan["continues"], "continues"
    for other in plan["versus"]:
        if other != plan["continues"]:
            yield other, "versus"
