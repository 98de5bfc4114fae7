"""The credit of an item, by its definition."""

from fractions import Fraction


def credits(pll, counts, tie):
    found, first = [], 0
    for count in counts:
        own = [float(value) for value in pll[first : first + count]]
        first += count
        best = [place for place, value in enumerate(own) if value >= max(own) - tie]
        found.append(float(Fraction(1, len(best))) if 0 in best else 0.0)
    return found
