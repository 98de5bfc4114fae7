"""Tables of language models, as `seggrid.language_model.tables` makes them."""

import pandas as pd
import synthetic

from seggrid.language_model.scores import MEASURES

MODELS = {"bpe": "", "swap": "bpe", "swap-30": "swap", f"other {synthetic.HOSTILE[0]}": ""}


def language_models():
    """Four models of two texts, one of which continues another."""
    rows = []
    for number, (name, continues) in enumerate(MODELS.items()):
        row = {
            "model": name, "continues": continues, "pair": "eng-deu" if number < 3 else "built-in",
            "side": "source", "text": "", "size": "tiny", "vocabulary": 4100 + number,
            "steps": [1000, 1000, 1300, 1000][number], "tokens_per_word": 1.3,
        }  # fmt: skip
        for at, measure in enumerate(MEASURES):
            value = (100, 2.5, 12)[at] * (1 + 0.1 * number)
            row |= {measure: value, f"{measure}_low": 0.95 * value, f"{measure}_high": 1.05 * value}
        rows.append(row)
    return pd.DataFrame(rows)


def model_comparisons():
    """The models that the middle two are compared with."""
    names = [
        f"{what}{end}"
        for what in ("pppl_ratio", "delta_bits_per_character", "delta_bits_per_word")
        for end in ("", "_low", "_high")
    ]
    rows = [
        ("swap", "bpe", "continues", 0.25, "worse"),
        ("swap-30", "bpe", "versus", -0.1, "better"),
    ]
    return pd.DataFrame(
        {"model": m, "other": o, "relation": r, **dict.fromkeys(names, v), "verdict": said}
        for m, o, r, v, said in rows
    )


def model_probes():
    """Two probes of two models, one at chance."""
    rows = [
        ("bpe", "order", 0.61, "above chance"),
        ("swap", "order", 0.52, "not shown"),
        (list(MODELS)[3], synthetic.HOSTILE[1], 0.3, "below chance"),
    ]
    return pd.DataFrame(
        {
            "model": model, "probe": probe, "items": 250, "chance": 0.5, "accuracy": value,
            "accuracy_low": value - 0.06, "accuracy_high": value + 0.06, "verdict": said, "unknown": 0,
        }
        for model, probe, value, said in rows
    )  # fmt: skip


def model_tasks():
    """A task of two models."""
    return pd.DataFrame(
        {
            "model": model, "task": "pos", "labels": "silver (HanTa)", "measure": "accuracy",
            "seeds": 3, "trained": 900, "sentences": 100, "tested": 2000, "baseline": 0.85,
            "score": value, "score_sd": 0.002, "score_low": value - 0.03, "score_high": value + 0.03,
            "gain": value - 0.85, "gain_low": value - 0.88, "gain_high": value - 0.82,
            "verdict": "above baseline" if value > 0.88 else "below baseline",
        }
        for model, value in (("bpe", 0.91), (list(MODELS)[3], 0.8))
    )  # fmt: skip


def losses():
    """Ten losses per hundred steps, with the held-out loss at every second one, including those of the base
    model."""
    rows = []
    for name, steps in zip(MODELS, (1000, 1000, 1300, 1000), strict=True):
        for step in range(100, steps + 1, 100):
            held_out = 5 - step / 1000 if step % 200 == 0 or step == steps else None
            rows.append((name, step, 5.1 - step / 1000, held_out))
    return pd.DataFrame(rows, columns=["model", "step", "loss", "validation_loss"])
