"""gibbs in plain Python, slow and literal: the oracle for its kernels, draw by draw."""

import hashlib
import math
from collections import Counter

import numpy as np

from random_twin import random_bits

F = np.float32
NULL = -1
LANES, WIDTH, SURE, SLEEP, OFTEN = 4, 8, F(0.98), 3, 4
FIRST_NULL = F(0.05)


def uniform(key, counter):
    return F(random_bits(key, counter) >> 40) * F(2.0**-24)


def key_of(seed, way, sampler):
    text = f"{seed}/{way}/{sampler}/links".encode()
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
        for number, ((name, *key), count) in enumerate(priors.items()):
            if name == "LEX":
                e, f = key if way == 0 else key[::-1]
                e, f = conditioning_types.get(e, -2 - number), generated_types.get(f, -2 - number)
                pair[e, f] += count
                total[e] += count
            elif name == f"HMM{'FR'[way]}":
                jump[key[0]] += count
            elif name == f"FER{'FR'[way]}":
                self.kinds[conditioning_types.get(key[0], -2), min(key[1], 7)] += count


class Lane:
    """One sampler: its counts of links, and its links, sentence by sentence."""

    def __init__(self, key, known, sentences):
        self.key = key
        self.pair, self.total = Counter(known.counts[0]), Counter(known.counts[1])
        self.links = [None] * sentences

    def change(self, e, f, change):
        self.pair[e, f] += change
        self.total[e] += change


class Direction:
    """Four samplers of one direction; both sides are lists of sentences, which are lists of words."""

    def __init__(self, conditioning, generated, options, seed, way, priors, group, few):
        self.conditioning, conditioning_types = numbered(conditioning)
        self.generated, generated_types = numbered(generated)
        lexical = options.lexical_prior
        if lexical is None:
            lexical = min(0.4 * sum(map(len, generated)) / len(generated_types) ** 2, 0.001)
        self.null, self.alpha, self.jump_prior, self.fertility_prior = (
            F(value)
            for value in (
                options.null_prior,
                lexical,
                options.jump_prior,
                options.fertility_prior,
            )
        )
        self.alpha_sum = F(lexical * (len(generated_types) + 1))
        numbers = range(LANES * group, LANES * (group + 1))
        own = [priors[k % len(priors)] if priors else None for k in numbers]
        self.known = [Known(one, way, conditioning_types, generated_types) for one in own]
        self.lanes = [
            Lane(key_of(seed, way, k), known, len(generated))
            for k, known in zip(numbers, self.known, strict=True)
        ]
        self.used = samplers_of(options, priors) - LANES * group
        self.starts = np.cumsum([0, *map(len, self.generated)])
        self.longest = max(map(len, self.conditioning)) + 1
        self.asleep = Counter()
        self.candidates = {}
        self.has_few_types = len(conditioning_types) <= few
        self.forget()

    def forget(self):
        """Of jumps and fertilities only what priors know."""
        self.jump, self.kind = Counter(), Counter()
        for known in self.known:
            jumps = {d: n for d, n in known.counts[2].items() if abs(d) <= self.longest}
            self.jump.update(jumps)
            self.kind.update({key: n for key, n in known.kinds.items() if key[0] >= 0})

    def start(self, end):
        for lane in self.lanes:
            for s in range(end):
                e_words, links = self.conditioning[s], []
                for j, f in enumerate(self.generated[s]):
                    bits = random_bits(lane.key, int(self.starts[s]) + j)
                    i = ((bits & 0xFFFFFFFF) * len(e_words)) >> 32
                    if (bits >> 32) < float(self.null) * 2**32:
                        i = NULL
                    links.append(i)
                    lane.change(NULL if i == NULL else e_words[i], f, 1)
                lane.links[s] = links
        self.count(0, end)

    def set_factors(self, model, is_first):
        reach = range(-self.longest, self.longest + 1)
        self.ahead, self.back, self.across = ({d: F(1) for d in reach} for _ in range(3))
        if model >= 2:
            own = LANES * float(self.jump_prior)
            every = self.jump.total() + 100.0 * own
            self.ahead = {d: F((self.jump[d] + own) / every) for d in reach}
            if not is_first:
                self.back = self.across = self.ahead
        own = LANES * float(self.fertility_prior)
        kinds = {(e, k) for e_words in self.conditioning for e in e_words for k in range(8)}
        self.ratio = {
            (e, k): F(1) if model < 3
            else F(1e-10) if k == 7
            else F((self.kind[e, k + 1] + own) / (self.kind[e, k] + own))
            for e, k in kinds
        }  # fmt: skip

    def count(self, begin, end):
        """Count the jumps and fertilities of sentences."""
        for s in range(begin, end):
            for lane in self.lanes:
                places = [i for i in lane.links[s] if i != NULL]
                ends = [*places, len(self.conditioning[s])]
                for left, right in zip([-1, *places], ends, strict=True):
                    self.jump[right - left] += 1
                for i, e in enumerate(self.conditioning[s]):
                    self.kind[e, min(places.count(i), 7)] += 1

    def sweep(self, number, begin, end, model, is_first, is_full, summed=None):
        self.set_factors(model, is_first)
        if not is_first:
            self.forget()
        for s in range(begin, end):
            if is_first:
                for lane in self.lanes:
                    lane.links[s] = [NULL] * len(self.generated[s])
            for j in range(len(self.generated[s])):
                if self.asleep[s, j] and summed is None:
                    self.asleep[s, j] -= 1
                    continue
                if is_full:
                    self.note_candidates(s, j)
                counter = number * int(self.starts[-1]) + int(self.starts[s]) + j
                every = [self.weights(lane, s, j, is_first) for lane in self.lanes]
                every = [
                    apart(*weights, lane.links[s][j])
                    for lane, weights in zip(self.lanes, every, strict=True)
                ]
                found = [
                    draw(*weights, lane.links[s][j], uniform(lane.key, counter))
                    for lane, weights in zip(self.lanes, every, strict=True)
                ]
                links = [link for link, _ in found]
                is_sure = all(sure for _, sure in found) and not is_first
                used = zip(every, self.lanes, strict=True)
                for (weights, null, own), lane in [*used][: self.used] if summed else ():
                    whole = (column_sums(weights)[-1] + null) + own
                    for i, weight in enumerate([*weights, null]):
                        summed[s][j][i] += weight / whole
                    summed[s][j][lane.links[s][j]] += own / whole
                self.asleep[s, j] = SLEEP if is_sure and model > 1 else 0
                for lane, link in zip(self.lanes, links, strict=True):
                    self.move(lane, s, j, link, is_first)
        self.count(begin, end)

    def note_candidates(self, s, j):
        f = self.generated[s][j]
        self.candidates[s, j] = {
            e for e in self.conditioning[s] if any(lane.pair[e, f] for lane in self.lanes)
        }

    def move(self, lane, s, j, link, is_first):
        e_words, f, old = self.conditioning[s], self.generated[s][j], lane.links[s][j]
        if not is_first:
            lane.change(NULL if old == NULL else e_words[old], f, -1)
        lane.change(NULL if link == NULL else e_words[link], f, 1)
        if link != NULL and (is_first or link != old):
            self.candidates[s, j].add(e_words[link])
        lane.links[s][j] = link

    def weights(self, lane, s, j, is_first):
        """The weights of all places, and of NULL, without the old link."""
        e_words, f, old = self.conditioning[s], self.generated[s][j], lane.links[s][j]
        left = [-1, *(i for i in lane.links[s][:j] if i != NULL)][-1]
        right = [*(i for i in lane.links[s][j + 1 :] if i != NULL), len(e_words)][0]
        own = None if is_first else NULL if old == NULL else e_words[old]
        weights = []
        for i, e in enumerate(e_words):
            links = lane.links[s].count(i) - (i == old)
            scale = F(1) / (F(lane.total[e] - (e == own)) + self.alpha_sum)
            scale = scale * self.ratio[e, min(links, 7)]
            jumps = self.ahead[i - left] * self.back[right - i]
            count = lane.pair[e, f] if e in self.candidates[s, j] else 0
            weights.append((F(count - (e == own)) + self.alpha) * (scale * jumps))
        if is_first:
            return weights, column_sums(weights)[-1] * (FIRST_NULL / (F(1) - FIRST_NULL))
        lexical = (F(lane.pair[NULL, f] - (own == NULL)) + self.alpha) / (
            F(lane.total[NULL] - (own == NULL)) + self.alpha_sum
        )
        return weights, self.null * lexical * self.across[right - left]


def column_sums(weights):
    """For each of 8 columns the sum of the weights up to it, added in the order of the kernel."""
    columns = [F(0)] * WIDTH
    for i, weight in enumerate(weights):
        columns[i % WIDTH] = columns[i % WIDTH] + weight
    for k in range(1, WIDTH):
        columns[k] = columns[k] + columns[k - 1]
    return columns


def apart(weights, null, old):
    """The weights of all places and of NULL, without that of the old link, and that of the old link."""
    if old == NULL:
        return weights, F(0), null
    return [F(0) if i == old else weight for i, weight in enumerate(weights)], null, weights[old]


def draw(weights, null, own, old, u):
    """A link, and whether it is the old one, with a probability close to 1."""
    reached = column_sums(weights)
    whole = (reached[-1] + null) + own
    x = u * whole
    if x < own:
        return old, own > SURE * whole
    x = x - own
    if x >= reached[-1]:
        return NULL, False
    column = sum(bool(sum_ <= x) for sum_ in reached[:-1])
    x = x - reached[column - 1] if column else x
    i = min(column, len(weights) - 1)
    total = weights[i]
    while total <= x and i + WIDTH < len(weights):
        i += WIDTH
        total = total + weights[i]
    return i, False


def samplers_of(options, priors):
    """How many there are; without a number, as in little text."""
    return options.samplers or (8 if priors is None else 4)


def stages(options, sentences, priors):
    share = 1 if options.samplers else 0.75
    if priors is not None:
        # Half of the sweeps, and no more than for 800 sentence pairs.
        share, sentences = 0.5, max(sentences, 800)
    n = max(2, round(3000 * (options.relative_iterations * share) / math.sqrt(sentences)))
    eighth = n // 8
    return {
        1: [(1, n)],
        2: [(1, max(2, eighth)), (2, n)],
        3: [(1, max(2, eighth)), (2, max(1, eighth)), (3, n)],
    }[options.model]


def run(conditioning, generated, options, seed, way, priors, first, few):
    """One direction: each sampler's links before the last sweep, the final links, and the summed
    distributions. Texts of more than `first` sentence pairs are aligned in two steps; with up to `few`
    conditioning types, all sweeps are full."""
    drawn, samplers = [], samplers_of(options, priors)
    summed = [
        [[F(0)] * (len(e_words) + 1) for _ in f_words]
        for e_words, f_words in zip(conditioning, generated, strict=True)
    ]
    for group in range(-(-samplers // LANES)):
        direction = Direction(conditioning, generated, options, seed, way, priors, group, few)
        number = train(direction, options, priors, first)
        drawn += [[list(links) for links in lane.links] for lane in direction.lanes]
        direction.sweep(number + 1, 0, len(conditioning), options.model, False, True, summed)
    links = [[most_probable(total) for total in sentence] for sentence in summed]
    return drawn[:samplers], links, summed


def most_probable(total):
    best = max(range(len(total) - 1), key=lambda i: (total[i], -i))
    return best if total[best] > total[-1] else NULL


def train(direction, options, priors, first):
    """All sweeps but the last; how many they are."""
    sentences = len(direction.conditioning)
    first = min(max(first, sentences // 8), sentences)
    direction.start(first)
    steps = [(sentences, stages(options, sentences, priors))]
    if first < sentences:
        *before, last = steps[0][1]
        steps = [(first, [*before, (options.model, 2)]), (sentences, [last])]
    number = 0
    for end, stages_here in steps:
        if number:
            number += 1
            direction.sweep(number, first, end, options.model, True, True)
        for model, sweeps in stages_here:
            for k in range(sweeps):
                number += 1
                # The first sweep of the last model is a stage of its own.
                begins = k == 0 or (k == 1 and model == options.model)
                is_full = begins or number % OFTEN == 0 or direction.has_few_types
                direction.sweep(number, 0, end, model, False, is_full)
    return number
