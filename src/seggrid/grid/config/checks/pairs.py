"""Check the pairs of a config: whether the keys about their texts are consistent."""

from __future__ import annotations

from seggrid.data.sides import SIDES, other_side
from seggrid.grid.config.findings import Findings, Key
from seggrid.grid.config.models.pairs import Pair, PairSide
from seggrid.grid.config.values import Download


def check_texts(name: str, pair: Pair, findings: Findings) -> None:
    """Check that a pair has either a text for each side, or files with both sides."""
    key = ("pairs", name)
    if pair.gold is not None:
        _check_gold((*key, "gold"), pair, findings)
    if pair.text is None:
        for option in ("format", "training"):
            if getattr(pair, option) is not None:
                findings.mistake(
                    (*key, option),
                    "has no effect without the key text",
                    f"write it under source and target, or add pairs.{name}.text",
                )
        for side in SIDES[: 1 if pair.target is None else 2]:
            if pair.side(side).text is None:
                findings.mistake(
                    (*key, side), "no text", f"add text, or pairs.{name}.text for both sides"
                )
        if pair.target is None and pair.gold is not None:
            findings.mistake((*key, "gold"), "gold of a pair without a target", "add the target")
        _check_training(key, pair, findings)
        return
    if pair.target is None:
        findings.mistake(key, "no target, with a text of both sides", "add target: {language: …}")
        return
    format = pair.joint_format
    for side in SIDES:
        _check_joint_side((*key, side), pair.side(side), format, findings)
    if format == "moses" and any(
        isinstance(f, Download) for f in [*pair.text, *(pair.training or [])]
    ):
        findings.mistake(
            (*key, "text"),
            "Moses files to download",
            "give each side its own text: {url: …, sha256: …}",
        )


def _check_gold(key: Key, pair: Pair, findings: Findings) -> None:
    """Check that gold either has a file of its own, or is a column of the text."""
    assert pair.gold is not None
    if pair.gold.format != "column":
        if pair.gold.file is None:
            findings.mistake(key, "the key 'file' is missing", "add file: …")
    elif pair.gold.file is not None:
        findings.mistake(
            (*key, "file"),
            "together with format: column, which is of the pair's text",
            f"take it out, and name the file by pairs.{key[1]}.text",
        )
    elif pair.text is None or pair.joint_format != "columns":
        findings.mistake(
            (*key, "format"),
            "column is the third column of a text of both sides",
            f"give pairs.{key[1]}.text with format: columns",
        )


def _check_joint_side(key: Key, side: PairSide, format: str, findings: Findings) -> None:
    """Check the keys of one side if the pair has files with both sides."""
    for option in ("text", "training"):
        if getattr(side, option) is not None:
            findings.mistake(
                (*key, option),
                f"together with a {option} of both sides",
                f"keep this one, or pairs.{key[1]}.{option}",
            )
    if "format" in side.model_fields_set:
        findings.mistake((*key, "format"), "has no effect with a text of both sides", "take it out")
    if format in ("tmx", "moses") and side.code is None:
        findings.mistake(key, f"no code, which {format} needs", "add code: en, or what it is")


def _check_training(key: Key, pair: Pair, findings: Findings) -> None:
    trained = [side for side in SIDES if pair.side(side).training is not None]
    if len(trained) == 1:
        findings.mistake(
            (*key, other_side(trained[0])),
            f"no training, which the {trained[0]} has",
            "add its files",
        )
