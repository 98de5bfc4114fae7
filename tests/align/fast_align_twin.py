"""fast_align in plain Python, slow and literal: the oracle for its kernels."""

import math
from collections import defaultdict

NULL = None


def digamma(x):
    total = 0.0
    while x < 30:
        total -= 1 / x
        x += 1
    return total + math.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4) - 1 / (252 * x**6)


def h(j, i, m, n):
    return -abs(i / n - j / m)


def swapped_z(j, m, n, tension):
    """Z(j, n, m), with the lengths swapped, from the two series left and right of the diagonal."""
    floor = math.floor(j * m / n)
    ratio = math.exp(-tension / m)
    right = m - floor
    z = math.exp(tension * h(j, floor, n, m)) * (1 - ratio**floor) / (1 - ratio)
    if right != 0:
        end = ratio**right if right > 0 else 0.0
        z += math.exp(tension * h(j, floor + 1, n, m)) * (1 - end) / (1 - ratio)
    return z


def slope(j, m, n, tension):
    numerator = sum(h(j, i, m, n) * math.exp(tension * h(j, i, m, n)) for i in range(1, n + 1))
    return numerator / swapped_z(j, m, n, tension)


class Twin:
    """One direction: `conditioning` and `generated` are lists of sentences, lists of words.

    After `run`: `t[e][f]`, `tension`, and `p[s][j]`, the list of p(f_j, a_j = i) for NULL and then
    every i, of the last pass.
    """

    def __init__(self, conditioning, generated, options):
        self.corpus = list(zip(conditioning, generated, strict=True))
        self.options = options
        self.tension = options.tension
        self.p0 = 0.0 if options.no_null else options.p0
        self.t = None

    def joint(self, e_words, f_words, j):
        n, m = len(e_words), len(f_words)
        t = (lambda e, f: 1.0) if self.t is None else (lambda e, f: self.t[e][f])
        weights = [math.exp(self.tension * h(j, i, m, n)) for i in range(1, n + 1)]
        f = f_words[j - 1]
        return [self.p0 * t(NULL, f)] + [
            (1 - self.p0) * weight / sum(weights) * t(e, f)
            for weight, e in zip(weights, e_words, strict=True)
        ]

    def run(self):
        for iteration in range(1, self.options.iterations):
            self.iterate(iteration)
        self.p = [
            [self.joint(e_words, f_words, j) for j in range(1, len(f_words) + 1)]
            for e_words, f_words in self.corpus
        ]
        return self

    def iterate(self, iteration):
        counts = defaultdict(lambda: defaultdict(float))
        expected = 0.0
        for e_words, f_words in self.corpus:
            n, m = len(e_words), len(f_words)
            for j, f in enumerate(f_words, 1):
                joint = self.joint(e_words, f_words, j)
                posterior = [p / sum(joint) for p in joint]
                counts[NULL][f] += posterior[0]
                for i, e in enumerate(e_words, 1):
                    counts[e][f] += posterior[i]
                    expected += posterior[i] * h(j - 1, i, m, n)
        if iteration > 1 and not self.options.fixed_tension:
            self.update_tension(expected)
        self.t = {e: self.normalized(row) for e, row in counts.items()}

    def update_tension(self, expected):
        generated = sum(len(f_words) for _, f_words in self.corpus)
        for _ in range(8):
            modeled = sum(
                slope(j, len(f_words), len(e_words), self.tension)
                for e_words, f_words in self.corpus
                for j in range(1, len(f_words) + 1)
            )
            self.tension += 20 * (expected / generated - modeled / generated)
            self.tension = min(max(self.tension, 0.1), 14.0)

    def normalized(self, row):
        if self.options.em:
            total = sum(row.values())
            return {f: count / total if total else 0.0 for f, count in row.items()}
        alpha = self.options.alpha
        total = sum(count + alpha for count in row.values())
        return {f: math.exp(digamma(count + alpha) - digamma(total)) for f, count in row.items()}


def symmetrized(forward, reverse, heuristic):
    """Symmetrize two sets of (i, j), by the definition."""
    union = sorted(forward | reverse)
    if heuristic == "union":
        return set(union)
    linked = forward & reverse
    if heuristic == "intersect":
        return linked

    def row_free(i):
        return all(i != a for a, _ in linked)

    def column_free(j):
        return all(j != b for _, b in linked)

    waiting = [link for link in union if link not in linked]
    added = True
    while added:
        added = False
        for i, j in list(waiting):
            near = any((i + x, j + y) in linked for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
            if near and (row_free(i) or column_free(j)):
                linked = linked | {(i, j)}
                waiting.remove((i, j))
                added = True
    if heuristic == "grow-diag":
        return linked
    needed = all if heuristic == "grow-diag-final-and" else any
    for links in (forward, reverse):
        for i, j in sorted(links):
            if (i, j) not in linked and needed((row_free(i), column_free(j))):
                linked = linked | {(i, j)}
    return linked
