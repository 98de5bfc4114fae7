"""gibbs in plain Python, slow and literal: the oracle for its kernels, draw by draw."""

import hashlib
import math
from collections import Counter

import numpy as np

F = np.float32
MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
NULL = -1


def random_bits(key, counter):
    z = (key + counter * GOLDEN) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Stream:
    """Random numbers 1, 2, ... of a key, uniform from 0 to 1."""

    def __init__(self, key):
        self.key, self.counter = key, 0

    def uniform(self):
        self.counter += 1
        return ((random_bits(self.key, self.counter) >> 11) + 0.5) * 2.0**-53

    def normal(self):
        while True:
            u = self.uniform()
            v = 1.7156 * (self.uniform() - 0.5)
            x, y = u - 0.449871, abs(v) + 0.386595
            q = x * x + y * (0.196 * y - 0.25472 * x)
            if q < 0.27597 or (q <= 0.27846 and v * v <= -4 * u * u * math.log(u)):
                return v / u

    def gamma(self, shape):
        if shape == 0.5:
            z = self.normal()
            return 0.5 * z * z
        d = (shape + 1 if shape < 1 else shape) - 1 / 3
        while True:
            z = self.normal()
            v = 1 + 1 / math.sqrt(9 * d) * z
            if v <= 0:
                continue
            v = v * v * v
            u = self.uniform()
            if u < 1 - 0.0331 * (z * z) * (z * z):
                break
            if math.log(u) < 0.5 * z * z + d * (1 - v + math.log(v)):
                break
        if shape < 1:
            return d * v * math.exp(max(math.log(self.uniform()) / shape, -700))
        return d * v


def key_of(seed, way, sampler, use):
    text = f"{seed}/{way}/{sampler}/{use}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def numbered(sentences):
    index = {}
    return [[index.setdefault(word, len(index)) for word in words] for words in sentences], index


class Known:
    """The counts of priors for one direction, by numbers of types; -2 - k is the k-th unknown type."""

    def __init__(self, priors, way, conditioning_types, generated_types):
        pair, total, jump, self.kinds = Counter(), Counter(), Counter(), Counter()
        self.counts = pair, total, jump
        if priors is None:
            return
        direction = (priors.forward, priors.reverse)[way]
        for number, (types, count) in enumerate(priors.lexical.items()):
            e, f = types if way == 0 else types[::-1]
            e, f = conditioning_types.get(e, -2 - number), generated_types.get(f, -2 - number)
            pair[e, f] += count
            total[e] += count
        jump.update(direction.jumps)
        for (e, k), count in direction.fertilities.items():
            self.kinds[conditioning_types.get(e, -2), min(k, 7)] += count


class Sampler:
    """One sampler of one direction; `conditioning` and `generated` are lists of sentences, lists of words."""

    def __init__(self, conditioning, generated, options, seed, way, number, priors=None):
        self.conditioning, conditioning_types = numbered(conditioning)
        self.generated, generated_types = numbered(generated)
        self.types = len(conditioning_types)
        self.options = options
        self.key = key_of(seed, way, number, "links")
        self.fertility_key = key_of(seed, way, number, "fertilities")
        self.alpha = F(options.lexical_prior)
        self.alpha_sum = F(options.lexical_prior * (len(generated_types) + 1))
        own = priors[number % len(priors)] if priors else None
        self.known = Known(own, way, conditioning_types, generated_types)
        self.starts = np.cumsum([0, *map(len, self.generated)])
        self.links = [
            [
                self.first_link(int(self.starts[s]) + j, len(self.conditioning[s]))
                for j in range(len(words))
            ]
            for s, words in enumerate(self.generated)
        ]

    def first_link(self, token, n):
        bits = random_bits(self.key, token)
        if (bits >> 32) < self.options.null_prior * 2**32:
            return NULL
        return ((bits & 0xFFFFFFFF) * n) >> 32

    def neighbors(self, s, j):
        left = [i for i in self.links[s][:j] if i != NULL]
        right = [i for i in self.links[s][j + 1 :] if i != NULL]
        return (left[-1] if left else -1), (right[0] if right else len(self.conditioning[s]))

    def count(self):
        """All counts, recomputed from the links."""
        self.pair, self.total, self.jump = (Counter(table) for table in self.known.counts)
        for e_words, f_words, links in zip(
            self.conditioning, self.generated, self.links, strict=True
        ):
            left = -1
            for f, i in zip(f_words, links, strict=True):
                e = NULL if i == NULL else e_words[i]
                self.pair[e, f] += 1
                self.total[e] += 1
                if i != NULL:
                    self.jump[i - left] += 1
                    left = i
            self.jump[len(e_words) - left] += 1

    def fertility(self, s, i):
        return self.links[s].count(i)

    def draw_fertilities(self, sweep):
        kinds = Counter(
            (e, min(self.fertility(s, i), 7))
            for s, words in enumerate(self.conditioning)
            for i, e in enumerate(words)
        )
        kinds += self.known.kinds
        self.p = {}
        for e in range(self.types):
            for k in range(8):
                key = random_bits(self.fertility_key, (sweep * self.types + e) * 8 + k)
                shape = self.options.fertility_prior + kinds[e, k]
                self.p[e, k] = float(F(Stream(key).gamma(shape)))

    def ratio(self, e, k):
        if k >= 7:
            return F(1e-10)
        return F(min(max(self.p[e, k + 1] / max(self.p[e, k], 1e-30), 1e-12), 1e12))

    def lexical(self, e, f):
        return F(1) / (F(self.total[e]) + self.alpha_sum)

    def j(self, d):
        return F(self.jump[d]) + F(self.options.jump_prior)

    def weights(self, s, j, model):
        """The weights of all positions and of NULL, with the link of j removed from the counts."""
        f, left, right = self.generated[s][j], *self.neighbors(s, j)
        weights = []
        for i, e in enumerate(self.conditioning[s]):
            scale = F(1) / (F(self.total[e]) + self.alpha_sum)
            if model == 3:
                scale = scale * self.ratio(e, self.fertility(s, i))
            jumps = self.j(i - left) * self.j(right - i) if model >= 2 else F(1)
            weights.append((F(self.pair[e, f]) + self.alpha) * scale * jumps)
        null = F(self.options.null_prior) * (
            (F(self.pair[NULL, f]) + self.alpha) / (F(self.total[NULL]) + self.alpha_sum)
        )
        if model >= 2:
            every = F(self.jump.total()) + F(100) * F(self.options.jump_prior)
            null = null * (every * self.j(right - left))
        return weights, null

    def change(self, s, j, i, change, model):
        """Add the link of j to i to the counts, or remove it."""
        e = NULL if i == NULL else self.conditioning[s][i]
        self.pair[e, self.generated[s][j]] += change
        self.total[e] += change
        if i != NULL:
            left, right = self.neighbors(s, j)
            self.jump[i - left] += change
            self.jump[right - i] += change
            self.jump[right - left] -= change
        self.links[s][j] = NULL if change < 0 else i

    def sweep(self, model, number, summed=None):
        if model == 3:
            self.draw_fertilities(number)
        for s, words in enumerate(self.generated):
            for j in range(len(words)):
                self.change(s, j, self.links[s][j], -1, model)
                weights, null = self.weights(s, j, model)
                columns, mass = column_sums(weights)
                if summed is None:
                    token = number * int(self.starts[-1]) + int(self.starts[s]) + j
                    u = F(random_bits(self.key, token) >> 40) * F(2.0**-24)
                    x = u * (mass + null)
                    link = NULL if x >= mass else place(x, weights, columns)
                else:
                    total = summed[s][j]
                    for i, weight in enumerate([*weights, null]):
                        total[i] += weight / (mass + null)
                    best = max(range(len(weights)), key=lambda i: (total[i], -i))
                    link = best if total[best] > total[-1] else NULL
                self.change(s, j, link, 1, model)


def column_sums(weights):
    """For each of 16 columns the sum of those left of it, and the total, added in the order of the kernel."""
    columns = [F(0)] * 16
    for i, weight in enumerate(weights):
        columns[i % 16] = columns[i % 16] + weight
    for step in (1, 2, 4, 8):
        columns = [
            columns[k] + (columns[k - step] if k >= step else F(0)) for k in range(len(columns))
        ]
    return [F(0), *columns], columns[-1]


def place(x, weights, columns):
    i = min(sum(bool(c <= x) for c in columns[1:]), 15)
    rest = x - columns[i]
    i = min(i, len(weights) - 1)
    reached = weights[i]
    while reached <= rest and i + 16 < len(weights):
        i += 16
        reached = reached + weights[i]
    return i


def stages(options, sentences, priors):
    share = 1
    if priors is not None:
        # Half of the sweeps, and no more than for 800 sentence pairs.
        share, sentences = 0.5, max(sentences, 800)
    n = max(2, round(5000 * (options.relative_iterations * share) / math.sqrt(sentences)))
    quarter = n // 4
    return {
        1: [(1, n)],
        2: [(1, max(2, quarter)), (2, n)],
        3: [(1, max(2, quarter)), (2, max(1, quarter)), (3, n)],
    }[options.model]


def run(conditioning, generated, options, seed, way, priors=None):
    """One direction: each sampler's links before the last sweep, the final links, and the summed
    distributions."""
    samplers = [
        Sampler(conditioning, generated, options, seed, way, number, priors)
        for number in range(options.samplers)
    ]
    before = []
    for sampler in samplers:
        number = 0
        for model, sweeps in stages(options, len(conditioning), priors):
            sampler.count()
            for _ in range(sweeps):
                number += 1
                sampler.sweep(model, number)
        before.append([list(links) for links in sampler.links])
    summed = [
        [[F(0)] * (len(e_words) + 1) for _ in f_words]
        for e_words, f_words in zip(conditioning, generated, strict=True)
    ]
    for sampler in samplers:
        sampler.sweep(options.model, number + 1, summed)
    return before, samplers[-1].links, summed
