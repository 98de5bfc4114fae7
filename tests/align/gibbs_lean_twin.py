"""gibbs for large texts in plain Python, slow and literal: the oracle for its kernel, draw by draw."""

import math
from collections import Counter

import numpy as np
from gibbs_twin import (
    MASK,
    NULL,
    F,
    Known,
    column_sums,
    key_of,
    numbered,
    place,
    random_bits,
    stages,
)

LANES, SURE, SLEEP, SLACK = 4, F(0.98), 3, F(1.001)


def ends_of_steps(sentences, first):
    """The sentence pairs of each step: at least `first` or an eighth, then all."""
    first = max(first, sentences // 8)
    return [first, sentences] if first < sentences else [sentences]


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

    def __init__(self, conditioning, generated, options, seed, way, priors, group):
        self.conditioning, conditioning_types = numbered(conditioning)
        self.generated, generated_types = numbered(generated)
        self.options = options
        self.alpha = F(options.lexical_prior)
        self.alpha_sum = F(options.lexical_prior * (len(generated_types) + 1))
        numbers = range(LANES * group, LANES * (group + 1))
        own = [priors[k % len(priors)] if priors else None for k in numbers]
        self.known = [Known(one, way, conditioning_types, generated_types) for one in own]
        self.lanes = [
            Lane(key_of(seed, way, k, "links"), known, len(generated))
            for k, known in zip(numbers, self.known, strict=True)
        ]
        self.starts = np.cumsum([0, *map(len, self.generated)])
        self.longest = max(map(len, self.conditioning)) + 1
        self.asleep = Counter()
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
                    if (bits >> 32) < self.options.null_prior * 2**32:
                        i = NULL
                    links.append(i)
                    lane.change(NULL if i == NULL else e_words[i], f, 1)
                lane.links[s] = links

    def set_factors(self, model, is_first):
        width, reach = LANES, range(-self.longest, self.longest + 1)
        self.ahead, self.back, self.across = ({d: F(1) for d in reach} for _ in range(3))
        if model >= 2:
            every = self.jump.total() + width * 100.0 * self.options.jump_prior
            self.ahead = {
                d: F((self.jump[d] + width * self.options.jump_prior) / every) for d in reach
            }
            if not is_first:
                self.back = self.across = self.ahead
        self.highest, self.sum = {}, {}
        for d in reach:
            products = [self.ahead[x] * self.back[d - x] for x in reach if d - x in self.back]
            self.highest[d], self.sum[d] = max(products), added(products)
        own = width * self.options.fertility_prior
        kinds = {(e, k) for e_words in self.conditioning for e in e_words for k in range(8)}
        self.ratio = {
            (e, k): F(1) if model < 3
            else F(1e-10) if k == 7
            else F((self.kind[e, k + 1] + own) / (self.kind[e, k] + own))
            for e, k in kinds
        }  # fmt: skip

    def scale(self, lane, s, i, without=None):
        """The factor of a place; `without`: a link to this place is left out."""
        e, links = self.conditioning[s][i], lane.links[s].count(i) - (i == without)
        total = lane.total[e] - (without is not None)
        return F(1) / (F(total) + self.alpha_sum) * self.ratio[e, min(links, 7)]

    def sweep(self, number, begin, end, model, is_first, summed=None):
        self.set_factors(model, is_first)
        if not is_first:
            self.forget()
        for s in range(begin, end):
            e_words = self.conditioning[s]
            if is_first:
                for lane in self.lanes:
                    lane.links[s] = [NULL] * len(self.generated[s])
            for j, f in enumerate(self.generated[s]):
                if self.asleep[s, j] and summed is None:
                    self.asleep[s, j] -= 1
                    continue
                found = [
                    i for i, e in enumerate(e_words) if any(lane.pair[e, f] for lane in self.lanes)
                ]
                counter = number * int(self.starts[-1]) + int(self.starts[s]) + j
                drawn, is_sure = [], True
                for lane in self.lanes:
                    link, likely = self.draw(lane, s, j, found, 2 * counter, is_first, summed)
                    is_sure = is_sure and likely and link == lane.links[s][j] and not is_first
                    drawn.append(link)
                if summed is not None:
                    total = summed[s][j]
                    best = max(range(len(e_words)), key=lambda i: (total[i], -i))
                    drawn = [best if total[best] > total[-1] else NULL] * len(self.lanes)
                self.asleep[s, j] = SLEEP if is_sure and model > 1 else 0
                for lane, link in zip(self.lanes, drawn, strict=True):
                    self.move(lane, s, j, link, is_first)
            for lane in self.lanes:
                places = [i for i in lane.links[s] if i != NULL]
                before = [-1, *places]
                for left, right in zip(before, [*places, len(e_words)], strict=True):
                    self.jump[right - left] += 1
                for i, e in enumerate(e_words):
                    self.kind[e, min(places.count(i), 7)] += 1

    def move(self, lane, s, j, link, is_first):
        e_words, f, old = self.conditioning[s], self.generated[s][j], lane.links[s][j]
        if link == old and not is_first:
            return
        if not is_first:
            lane.change(NULL if old == NULL else e_words[old], f, -1)
        lane.change(NULL if link == NULL else e_words[link], f, 1)
        lane.links[s][j] = link

    def draw(self, lane, s, j, found, counter, is_first, summed):
        """A link, and whether it is nearly certain; in the last sweep the distribution is added instead."""
        e_words, f = self.conditioning[s], self.generated[s][j]
        old = lane.links[s][j]
        left = [-1, *(i for i in lane.links[s][:j] if i != NULL)][-1]
        right = [*(i for i in lane.links[s][j + 1 :] if i != NULL), len(e_words)][0]
        scales = [self.scale(lane, s, i) for i in range(len(e_words))]
        weights = []
        for i in found:
            e, count, scale = e_words[i], lane.pair[e_words[i], f], scales[i]
            if old != NULL and e == e_words[old]:
                count, scale = count - 1, self.scale(lane, s, i, without=old)
            weights.append((F(count) + self.alpha) * (scale * self.jumps(i, left, right)))
        own = int(old == NULL and not is_first)
        null = F(self.options.null_prior) * (
            (F(lane.pair[NULL, f] - own) + self.alpha)
            / (F(lane.total[NULL] - own) + self.alpha_sum)
        )
        null = null * self.across[right - left]
        mass, d = added(weights), right - left
        bounds = column_sums(scales)[1] * self.highest[d], max(scales) * self.sum[d]
        whole = mass + null + SLACK * (self.alpha * min(bounds))
        x = uniform(lane.key, counter) * whole
        if summed is not None or x >= mass + null:
            others = [
                F(0) if i in found else (self.alpha * scales[i]) * self.jumps(i, left, right)
                for i in range(len(e_words))
            ]
            columns, rest = column_sums(others)
            assert rest <= whole - mass - null or summed is not None
            every = mass + null + rest
            if summed is not None:
                for i, weight in zip(found, weights, strict=True):
                    others[i] = weight
                for i, weight in enumerate([*others, null]):
                    summed[s][j][i] += weight / every
                return NULL, False
            if x >= every:
                x = uniform(lane.key, counter + 1) * every
            if x >= mass + null:
                return place(x - (mass + null), others, columns), False
            whole = F(math.inf)
        if x < mass:
            k = reached(x, weights)
            return found[k], weights[k] > SURE * whole
        return NULL, null > SURE * whole

    def jumps(self, i, left, right):
        return self.ahead[i - left] * self.back[right - i]


def uniform(key, counter):
    return F(random_bits(key, counter & MASK) >> 40) * F(2.0**-24)


def added(weights):
    """Their sum, from left to right."""
    total = F(0)
    for weight in weights:
        total = total + weight
    return total


def reached(x, weights):
    """The first of weights whose sum with those before it is above x, or the last."""
    total = F(0)
    for k, weight in enumerate(weights):
        total = total + weight
        if total > x:
            return k
    return len(weights) - 1


def run(conditioning, generated, options, seed, way, priors, first):
    """One direction: each sampler's links before the last sweep, the final links, and the summed
    distributions."""
    share = 0.75 * (1 if priors is None else 0.5)
    sweeps = options.model_copy(update={"relative_iterations": options.relative_iterations * share})
    drawn = []
    summed = [
        [[F(0)] * (len(e_words) + 1) for _ in f_words]
        for e_words, f_words in zip(conditioning, generated, strict=True)
    ]
    for group in range(-(-options.samplers // LANES)):
        direction = Direction(conditioning, generated, options, seed, way, priors, group)
        number = train(direction, sweeps, first)
        drawn += [[list(links) for links in lane.links] for lane in direction.lanes]
        direction.sweep(number + 1, 0, len(conditioning), options.model, False, summed)
    return drawn, direction.lanes[-1].links, summed


def train(direction, options, first):
    """All sweeps but the last; how many they are."""
    number, before = 0, 0
    for end in ends_of_steps(len(direction.conditioning), first):
        stages_here = stages(options, end, None)
        if before:
            number += 1
            direction.sweep(number, before, end, options.model, True)
            stages_here = stages_here[-1:]
        else:
            direction.start(end)
        for model, sweeps in stages_here:
            for _ in range(sweeps):
                number += 1
                direction.sweep(number, 0, end, model, False)
        before = end
    return number
