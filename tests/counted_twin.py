"""The counts of several parts of a text together, one by one."""

from collections import Counter

from seggrid.align.gibbs.priors import DirectionPriors, Priors


def counted_together(*parts: Priors) -> Priors:
    """The priors that a text of these parts has."""
    return Priors(
        together(*(part.lexical for part in parts)),
        *(
            DirectionPriors(
                together(*(getattr(part, way).jumps for part in parts)),
                together(*(getattr(part, way).fertilities for part in parts)),
            )
            for way in ("forward", "reverse")
        ),
    )


def together(*tables: dict) -> dict:
    """The sums of counts, without those of 0."""
    found: Counter = Counter()
    for table in tables:
        found.update(table)
    return {key: count for key, count in found.items() if count}
