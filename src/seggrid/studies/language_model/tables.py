"""The tables of language models: settings and scores, comparisons, losses, probes, tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from seggrid.studies.language_model.presets import PRESETS
from seggrid.studies.language_model.scores import (
    MEASURES,
    ProbeScores,
    SentenceScores,
    TaskScores,
    TrainingProgress,
    bootstrap_interval,
    difference,
    measure_model,
    verdict,
)
from seggrid.studies.language_model.text import FRAME

SETTINGS = ("continues", "pair", "side", "text", "segmentation", "size", "seed")
"""Columns of a model's settings, as in the config."""

OTHER_TEXT = "other test sentences"
"""The verdict on models that cannot be compared."""

_PER_CHARACTER = MEASURES.index("bits_per_character")


def model_table(
    plans: Sequence[Mapping[str, Any]],
    progress: Mapping[str, TrainingProgress],
    vocabularies: Mapping[str, int],
    scores: Mapping[str, SentenceScores],
    *,
    rounds: int,
    seed: int,
) -> pd.DataFrame:
    """One row for each model: `results/language_model.csv`. `plans` are the settings of each model; all else
    is by its name; `rounds` and `seed` are of the bootstrap."""
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
        ends = bootstrap_interval(partial(measure_model, own), len(own.pll), rounds, seed)
        for what, value, (low, high) in zip(MEASURES, measure_model(own), ends, strict=True):
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
    """One row for each comparison of two models: `results/language_model_comparisons.csv`. A model is
    compared with the model that it continues and with those in its `versus`.

    First come comparisons of single models, with `seeds` 1. Then each comparison of models with several seeds
    has a row under their names without a number: means over seeds, with intervals by Student's distribution
    (for PPPL, of its logarithm).
    """
    names = [
        ("pppl_ratio" if what == "pppl" else f"delta_{what}") + end
        for what in MEASURES
        for end in ("", "_low", "_high")
    ]

    def told(values: NDArray[np.float64]) -> dict[str, Any]:
        _, low, high = values[_PER_CHARACTER]
        found = dict(zip(names, values.ravel(), strict=True))
        return {**found, "verdict": verdict(low, high, 0, "worse", "better")}

    rows = []
    groups: dict[tuple[str, str, str], list[NDArray[np.float64]]] = {}
    for plan in plans:
        for other, relation in _others(plan):
            ours, theirs = scores[plan["name"]], scores[other]
            row = {"model": plan["name"], "other": other, "relation": relation, "seeds": 1}
            if ours.same_text(theirs):
                values = difference(ours, theirs, rounds, seed)
                row |= told(values)
                if plan["seeds"] > 1:
                    group = (_unnumbered(plan["name"]), _unnumbered(other), relation)
                    groups.setdefault(group, []).append(values[:, 0])
            else:
                row["verdict"] = OTHER_TEXT
            rows.append(row)
    for (model, other, relation), found in groups.items():
        row = {"model": model, "other": other, "relation": relation, "seeds": len(found)}
        rows.append(row | told(_over_seeds(np.array(found))))
    return pd.DataFrame(rows, columns=["model", "other", "relation", "seeds", *names, "verdict"])


def _unnumbered(name: str) -> str:
    """The name in the config, from the name of a model that ends in the number of its seed."""
    return name.rpartition("-")[0]


def _over_seeds(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The means of differences over K pairs of models, shape (K, 3), and the ends of their intervals by
    Student's t; shape (3, 3). The first difference is a ratio, whose logarithm is averaged."""
    from scipy.stats import t  # Slow to import, and only models of several seeds need it.

    logarithm = values.copy()
    logarithm[:, 0] = np.log(values[:, 0])
    mean, size = logarithm.mean(axis=0), len(values)
    half = t.ppf(0.975, size - 1) * logarithm.std(axis=0, ddof=1) / sqrt(size)
    ends = np.column_stack([mean, mean - half, mean + half])
    ends[0] = np.exp(ends[0])
    return ends


def _others(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The models with which a model is compared, each with the relation, `continues` or `versus`."""
    if plan["continues"]:
        yield plan["continues"], "continues"
    for other in plan["versus"]:
        if other != plan["continues"]:
            yield other, "versus"


def loss_table(progress: Mapping[str, TrainingProgress]) -> pd.DataFrame:
    """The loss of each step of each model: `results/language_model_losses.csv`. Steps of the models that a
    model continues are included."""
    rows = [(name, *entry) for name, own in progress.items() for entry in own.losses]
    return pd.DataFrame(rows, columns=["model", "step", "loss", "validation_loss"])


def probe_table(
    scores: Mapping[tuple[str, str], ProbeScores], *, rounds: int, seed: int
) -> pd.DataFrame:
    """One row for each model and probe: `results/language_model_probes.csv`."""
    rows = []
    for (model, probe), own in scores.items():
        credits = own.credits.astype(np.float64)
        low, high = bootstrap_interval(partial(_share, credits), len(credits), rounds, seed)
        rows.append(
            {
                "model": model,
                "probe": probe,
                "items": len(own.credits),
                "chance": own.chance,
                "accuracy": own.accuracy,
                "accuracy_low": float(low),
                "accuracy_high": float(high),
                "verdict": verdict(low, high, own.chance, "above chance", "below chance"),
                "unknown": float((own.unknown > 0).mean()),
            }
        )
    return pd.DataFrame(rows)


def _share(credits: NDArray[np.float64], drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """The accuracy in each resample, shape (B,)."""
    return drawn @ credits / len(credits)


def task_table(
    scores: Mapping[tuple[str, str], Sequence[TaskScores]],
    labels: Mapping[tuple[str, str], tuple[str, str]],
    groups: Mapping[str, Sequence[str]] | None = None,
    *,
    rounds: int,
    seed: int,
) -> pd.DataFrame:
    """One row for each model and task, from the scores of its runs, the origin of its labels and the name of
    the measure: `results/language_model_tasks.csv`. Models that differ only in their seed are `groups` under
    their common name; in the end, there is a row for all runs of each. The same test sentences are drawn for
    all runs."""
    runs = {key: (list(own), *labels[key]) for key, own in scores.items()}
    for group, models in (groups or {}).items():
        for model, task in scores:
            if model == models[0]:
                together = [one for name in models for one in scores[name, task]]
                runs[group, task] = together, *labels[model, task]
    rows = []
    for (model, task), (own, origin, name) in runs.items():
        # For labels, F1 equals the accuracy, since every label is predicted.
        values = np.array([_f1(one.right.sum(), (one.given + one.predicted).sum()) for one in own])
        first = own[0]
        low, high = bootstrap_interval(partial(_mean_f1, own), len(first.given), rounds, seed)
        gain_low, gain_high = bootstrap_interval(
            partial(_gain, own), len(first.given), rounds, seed
        )
        baseline = _f1(first.baseline_right.sum(), (first.given + first.baseline_predicted).sum())
        chosen = [_f1(*one.validation) for one in own if one.validation[1]]
        rows.append(
            {
                "model": model,
                "task": task,
                "labels": origin,
                "measure": name,
                "seeds": len(own),
                "trained": int(first.trained[0]),
                "sentences": len(first.given),
                "tested": int(first.given.sum()),
                "unknown": float(first.unknown[0] / max(1, first.unknown[1])),
                "baseline": float(baseline),
                "score": float(values.mean()),
                "score_sd": float(values.std(ddof=1)) if len(values) > 1 else None,
                "score_low": float(low),
                "score_high": float(high),
                "gain": float(values.mean() - baseline),
                "gain_low": float(gain_low),
                "gain_high": float(gain_high),
                "verdict": verdict(gain_low, gain_high, 0, "above baseline", "below baseline"),
                "validation": float(np.mean(chosen)) if chosen else None,
            }
        )
    return pd.DataFrame(rows)


def _mean_f1(scores: Sequence[TaskScores], drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean F1 over seeds in each resample, shape (B,)."""
    values = [_f1(drawn @ own.right, drawn @ (own.given + own.predicted)) for own in scores]
    return np.asarray(np.mean(values, axis=0))


def _gain(scores: Sequence[TaskScores], drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean F1 over runs minus that of the baseline in each resample, shape (B,)."""
    right, both = scores[0].baseline_right, scores[0].given + scores[0].baseline_predicted
    return _mean_f1(scores, drawn) - _f1(drawn @ right, drawn @ both)


def _f1(right: ArrayLike, both: ArrayLike) -> NDArray[np.float64]:
    """F1: twice the number right, divided by the sum of gold and predicted ones; 0 if there are none."""
    return np.asarray(2 * np.asarray(right, dtype=np.float64) / np.maximum(1, both))
