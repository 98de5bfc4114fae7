"""The signature of a score: what it was computed with, in a line to paste beside it, as sacreBLEU's is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from importlib.metadata import version

from seggrid.score.metrics import METRICS
from seggrid.text.gold import Gold

_DIGITS = 12


def signature(
    gold: Gold, name: str, base: int = 0, case: str = "", metrics: Sequence[str] = METRICS
) -> str:
    """The signature of scores by a gold.

    >>> from seggrid.text.link_notation import GoldLink
    >>> from seggrid.text.gold import gold_from_links
    >>> gold = gold_from_links({0: [GoldLink(0, 0, True, 1)]})
    >>> signature(gold, "my.gold", case="lower", metrics=["f1"]).rpartition(":")[0]
    'metric:f1|gold:my.gold|digest:703af0cc8bf0|links:sure|base:0|case:lower|seggrid'
    """
    more = len(gold.possible.pairs) > len(gold.sure.pairs)
    parts = {
        "metric": "+".join(metrics),
        "gold": name,
        "digest": gold_digest(gold),
        "links": "sure+possible" if more else "sure",
        "base": str(base),
        "case": case or "as-given",
        "seggrid": version("seggrid"),
    }
    return "|".join(f"{key}:{_escaped(part)}" for key, part in parts.items())


def gold_digest(gold: Gold) -> str:
    """The first digits of a digest of the sentences and links of a gold, however it was written."""
    rows = zip(gold.sentences.tolist(), gold.sure.lines(), gold.possible.lines(), strict=True)
    lines = "".join(f"{sentence}\t{sure}\t{possible}\n" for sentence, sure, possible in rows)
    return hashlib.sha256(lines.encode()).hexdigest()[:_DIGITS]


def _escaped(text: str) -> str:
    """A text without what separates the parts."""
    return re.sub(r"[%|\s]", lambda found: "".join(f"%{b:02X}" for b in found[0].encode()), text)
