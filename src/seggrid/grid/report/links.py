"""The page of `seggrid show`: the alignment viewer of the report, for any links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from seggrid.grid.report.html import (
    SHARED,
    VIEWER,
    VIEWER_PLACE,
    deflated,
    document,
    embedded,
    page_scripts,
)
from seggrid.grid.report.viewer import errors
from seggrid.score.metrics import METRICS, compute_metrics, count_hits
from seggrid.text.gold import Gold
from seggrid.text.links import Links


def build_links_page(
    links: Mapping[str, Links],
    texts: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]],
    gold: Gold | None = None,
    *,
    names: Sequence[str] | None = None,
    sides: tuple[str, str] = ("source", "target"),
    most: int,
    signature: str = "",
) -> str:
    """The page as the text of one HTML file, which loads nothing (see `seggrid.grid.report.page.build_page`).

    At most `most` sentences are shown: those with most errors of the first links, the worst first, or,
    without gold, the first ones. `names` are their ids, by default their numbers from 1; the signature is
    that of the scores.
    """
    total = len(texts[0])
    place = {} if gold is None else {int(k): g for g, k in enumerate(gold.sentences)}
    shown = np.arange(total)
    if total > most:
        wrong = np.full(total, -1)
        if gold is not None:
            first = next(iter(links.values())).take(gold.sentences)
            wrong[gold.sentences] = errors(first, gold.sure, gold.possible)
        shown = np.sort(np.argsort(-wrong, kind="stable")[:most])
    rows = shown.tolist()

    def of_gold(kind: str) -> list[str | None]:
        lines = getattr(gold, kind).lines() if gold else []
        return [lines[place[k]] if k in place else None for k in rows]

    data = {
        "source": [" ".join(texts[0][k]) for k in rows],
        "target": [" ".join(texts[1][k]) for k in rows],
        "sure": of_gold("sure"),
        "possible": of_gold("possible"),
        "tokens": [],
        "telling": {},
        "cells": [
            {"cell": name, "links": one.take(shown).lines(), "source": None, "target": None}
            for name, one in links.items()
        ],
        "names": [names[k] if names else str(k + 1) for k in rows],
    }
    embeds = {
        **{"labels": {}, "cells": {}, "tables": {}},
        "languages": {"": dict(zip(("source", "target"), sides, strict=True))},
        "viewer": {"": {"cells": [*links], "data": deflated(data)}},
        "order": "text" if gold is None else "worst",
    }
    lead = (
        f"{len(rows):,} of {total:,} sentence pairs"
        if len(rows) < total
        else f"{total:,} sentence pairs"
    )
    scores = ""
    if gold is not None:
        lead += f", {len(gold):,} with gold"
        scores = "".join(
            f'<p class="note"><bdi>{escape(name)}</bdi>: {scores_of(one, gold)}</p>'
            for name, one in links.items()
        )
        scores += f'<p class="note"><code>{escape(signature)}</code></p>'
    title = f"Links of {' and '.join(sides)}"
    return document(
        title=title,
        body=f"""<main>
  <section id="alignments" aria-labelledby="title">
    <h1 id="title"><bdi>{escape(title)}</bdi></h1>
    <p class="lead">{lead} <button id="theme" class="quiet" type="button"></button></p>
    {scores}
    <noscript><p class="notice">JavaScript is off: this page needs it to show the links.</p></noscript>
    <p class="note">The keys ← and → move through the sentences. The address of the page stores your
      choices.</p>
    {VIEWER_PLACE}
  </section>
</main>""",
        data=embedded(embeds),
        scripts=[page_scripts((*SHARED, *VIEWER, "links.js"))],
    )


def scores_of(links: Links, gold: Gold) -> str:
    """The scores of links, for a reader."""
    counts = count_hits(links.take(gold.sentences), gold.sure, gold.possible).sum(axis=0)
    values = compute_metrics(counts, len(gold.sure.pairs)).tolist()
    return ", ".join(
        f"{name.upper() if name in ('f1', 'aer') else name} {value:.3f}"
        for name, value in zip(METRICS, values, strict=True)
    )
