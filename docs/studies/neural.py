"""Compare the recipes and the encoder on texts with gold: the tables of docs/studies/neural.md.

    python docs/studies/neural.py align ../shared/data CACHE [TEXT ...]
    python docs/studies/neural.py tables ../shared/data CACHE
    python docs/studies/neural.py tuned ../shared/data CACHE [TEXT ...]
    python docs/studies/neural.py joined ../shared/data CACHE eng-deu [--recipes whole neural]
    python docs/studies/neural.py matching ../shared/data CACHE [TEXT ...]
    python docs/studies/neural.py small ../shared/data CACHE [TEXT ...]

`align` takes half an hour of one core; what CACHE has is kept. `tables` writes neural-recipes.csv,
neural-mutual.csv, neural-settings.csv and neural-diagonal.csv. `tuned` aligns with the recipe of this name,
which takes minutes a text, and writes neural-tuned.csv. `joined` writes neural-joined.csv: scores of links
where some consecutive sentences with gold are one line. `matching` and `small` write neural-matching.csv and
neural-small.csv. Settings are chosen on development sentences: those of XL-WA, and every other sentence with
gold of the other texts. Scores are of the other sentences, and AER also of all.
"""

import argparse
import csv
import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import seggrid
from seggrid.align.embeddings import sentences
from seggrid.align.embeddings.encoded import link
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings.options import Options
from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.base.resampling import bootstrap_weights
from seggrid.grid.align_cell import Process, Request, align_cell, align_vote
from seggrid.grid.recipes import read_recipe, word_types
from seggrid.score.metrics import AER, F1, compute_metrics, count_hits
from seggrid.score.votes import Means, is_posterior
from seggrid.text.gold import gold_from_links
from seggrid.text.link_checks import without_bad_links
from seggrid.text.link_files import read_gold_links
from seggrid.text.link_notation import Known, Notation
from seggrid.text.links import Links, pack_links, unpack_links
from seggrid.text.segmentation import Segmentation
from seggrid.text.words import Words

FILES = {
    "eng-deu": ("thesis/eng-deu", "eng_with_10k.txt", "deu_with_10k.txt", "eng_deu.gold"),
    "eng-hin": ("thesis/eng-hin", "eng_with_3k.txt", "hin_with_3k.txt", "eng_hin.gold"),
    "eng-ces": ("czenali", "eng.txt", "ces.txt", "gold.txt"),
    "eng-jpn": ("kftt/eng-jpn", "eng.txt", "jpn.txt", "gold.txt"),
}
XLWA = ("et", "hu", "nl", "ru", "es")
"""English with Estonian, Hungarian, Dutch, Russian and Spanish."""

TEXTS = (*FILES, *XLWA)
SINGLE = ("words-fast_align", "bpe-fast_align", "words", "bpe")
VOTERS = {"vote-small": 3, "vote": 6}
"""The number of cells of each vote; those of `vote-small` come first in `vote`."""

RECIPES = (*SINGLE, *VOTERS, "neural", "vote-neural")
LAYERS, TEMPERATURES = (7, 8), ("0.02", "0.03", "0.05")
DIAGONALS = ("none", "10", "12", "14", "16", "20", "30", "length")
BOUNDS = ("0.35", "0.4", "0.45", "0.5", "0.55")
WEIGHTS = (0.4, 0.5, 0.6)
ROUNDS = 2000
COMPETING = ("words", "bpe", *VOTERS, "neural", "vote-neural")
POWERS, THRESHOLDS = (0, 0.25, 0.5, 1, 2), tuple(f"{k / 20:g}" for k in range(4, 13))
JOINED = (1, 2, 4, 8, 16, 32)
WHOLES, COSTS = (32, 48, 64, 96), (0.0, 0.1, 0.3, 0.5, 0.8, 1.2)
"""Values of the constants of `seggrid.align.embeddings.sentences`."""

WHOLE = "whole"
SIZES, PERCENT = (50, 100, 200, 400, 1000), (50, 60, 70, 80, 100)
ALONE = "nothing"
TABLES = Path("docs/studies/data")


class Text(NamedTuple):
    """A text with gold.

    Attributes:
        source, target: the words of S sentence pairs.
        places: the sentences with gold, shape (G,).
        sure, possible: their gold links.
        chosen_on: whether each is a development sentence, shape (G,).
    """

    source: list[list[str]]
    target: list[list[str]]
    places: NDArray[np.int64]
    sure: Links
    possible: Links
    chosen_on: NDArray[np.bool_]


def read(data: Path, name: str) -> Text:
    """Read a text from the mirror of the corpora."""
    if name in XLWA:
        parts = [data / "xl-wa" / name / f"{part}.tsv" for part in ("dev", "test", "train")]
        lines = [part.read_text("utf-8").splitlines() for part in parts]
        rows = [line.split("\t") for part in lines for line in part]
        source, target = ([row[k].split(" ") for row in rows] for k in (0, 1))
        with_gold = len(lines[0]) + len(lines[1])
        links = Links.from_lines(row[2] for row in rows[:with_gold])
        places = np.arange(with_gold)
        return Text(source, target, places, links, links, places < len(lines[0]))
    folder, *names = (Path(part) for part in FILES[name])
    sides = [(data / folder / side).read_text("utf-8").splitlines() for side in names[:2]]
    source, target = ([line.split("\t")[-1].split() for line in side] for side in sides)
    ids = [line.split("\t")[0] if "\t" in line else str(k) for k, line in enumerate(sides[0])]
    notation = Notation("pharaoh" if name == "eng-ces" else "pharaoh-ids")
    given = read_gold_links(data / folder / names[2], notation, ids)
    known = Known.of(Words.of(source), Words.of(target))
    gold = gold_from_links(without_bad_links(given, known), ids)
    chosen_on = np.arange(len(gold.sentences)) % 2 == 0
    return Text(source, target, gold.sentences, gold.sure, gold.possible, chosen_on)


def packed(several: Sequence[Means]) -> dict[str, NDArray[np.generic]]:
    """Probabilities of links as named arrays."""
    arrays = dict(pack_links([one.links for one in several]))
    return arrays | {f"{k}/probability": one.probability for k, one in enumerate(several)}


def align(text: Text, name: str, cache: Path) -> None:
    """Align a text with every cell that the cache lacks, and with the encoder at every setting."""
    types = word_types(text.source, text.target)
    cells = {recipe: read_recipe(recipe).cells(name, types=types)[0] for recipe in SINGLE}
    votes = read_recipe("vote").cells(name, types=types)
    cells |= {f"vote-{k}": cell for k, cell in enumerate(votes)}
    cells["neural"] = read_recipe("neural").cells(name)[0]
    # The first call loads kernels, which is not the work of a cell.
    align_cell(cells["words"], text.source[:9], text.target[:9])
    for label, cell in cells.items():
        file = cache / f"{name}.{label}.npz"
        if file.exists():
            continue
        source, target, places, share = text.source, text.target, text.places, 1.0
        if cell.aligner == "embeddings":
            # It aligns each sentence by itself.
            share = len(text.places) / len(text.source)
            source, target = ([side[k] for k in places] for side in (source, target))
            places = np.arange(len(places))
        begin = time.process_time()
        options = read_recipe(label).options.get(cell.aligner) if label in SINGLE else None
        request = Request(probabilities=cell.aligner != "fast_align")
        found = align_cell(cell, source, target, request, options=options)
        seconds = (time.process_time() - begin) / share
        means = found.means
        if means is None or cell.aligner == "fast_align":
            means = Means(found.links, np.ones(len(found.links.pairs)))
        kept = means.take(places)
        arrays = packed([Means(kept.links, kept.probability.astype(np.float32))])
        write_arrays(file, arrays | {"seconds": np.array([seconds])})
        print(f"{name} {label}: {seconds:.1f} CPU s", flush=True)
    file = cache / f"{name}.encoder.npz"
    if not file.exists():
        sides = [
            Segmentation.from_words([side[k] for k in text.places])
            for side in (text.source, text.target)
        ]
        both = Encoder(Options(), LAYERS).encode(sides)
        every = [
            link([(both[0], both[1])], layer, temperature=Fraction(temperature))[1]
            for layer in LAYERS
            for temperature in TEMPERATURES
        ]
        write_arrays(file, packed(every))
        near = [link([(both[0], both[1])], LAYERS[0], diagonal=one)[1] for one in DIAGONALS]
        write_arrays(cache / f"{name}.diagonal.npz", packed(near))


class Scored:
    """A text whose cells are aligned: their probabilities, and the scores of links."""

    def __init__(self, text: Text, name: str, cache: Path) -> None:
        self._text, self.name, self._cache = text, name, cache
        self.types = word_types(text.source, text.target)
        names = [f"vote-{k}" for k in range(VOTERS["vote"])]
        self.votes = [self.cell(name) for name in names if self.has(name)]

    def has(self, label: str) -> bool:
        """Whether a cell was aligned."""
        return (self._cache / f"{self.name}.{label}.npz").exists()

    def cell(self, label: str) -> Means:
        """The probabilities of one cell."""
        return self.cells(label)[0]

    def cells(self, label: str) -> list[Means]:
        """The probabilities in a file."""
        arrays = read_arrays(self._cache / f"{self.name}.{label}.npz")
        return [
            Means(own, arrays[f"{k}/probability"]) for k, own in enumerate(unpack_links(arrays))
        ]

    def seconds(self, *labels: str) -> float:
        """CPU seconds of some cells."""
        arrays = (read_arrays(self._cache / f"{self.name}.{label}.npz") for label in labels)
        return sum(float(one["seconds"][0]) for one in arrays)

    def metrics(
        self, means: Means, aggregate: str, rounds: int = 0, part: bool | None = False
    ) -> NDArray[np.float64]:
        """The metrics of the links above a threshold on probabilities, then those of resamples, shape
        (1 + rounds, 4).

        Args:
            part: whether development sentences or the others are scored; None for both.
        """
        chosen = (
            np.ones(len(self._text.places), dtype=bool)
            if part is None
            else self._text.chosen_on == part
        )
        links = means.keep(aggregate)
        hits = count_hits(links, self._text.sure, self._text.possible)[chosen]
        sure = np.diff(self._text.sure.offsets)[chosen]
        weights = np.ones((1, len(sure)))
        if rounds:
            weights = np.concatenate([weights, bootstrap_weights(len(sure), rounds, 1)])
        return compute_metrics(weights @ hits, weights @ sure)


def recipes(text: Scored) -> dict[str, tuple[Means, str, float]]:
    """For each recipe, its mean probabilities, its threshold on them, and its CPU seconds."""
    found = {}
    for name in (name for name in (*SINGLE, "neural") if text.has(name)):
        aggregate = str(read_recipe(name).cells("p")[0].aggregate)
        above = aggregate if is_posterior(aggregate) else "posterior-0.5"
        found[name] = text.cell(name), above, text.seconds(name)
    for name, count in VOTERS.items():
        if len(text.votes) < count:
            continue
        seconds = text.seconds(*(f"vote-{k}" for k in range(count)))
        found[name] = Means.from_members(text.votes[:count]), read_recipe(name).above, seconds
    if not text.has("neural"):
        return found
    weights = [*read_recipe("vote-neural").voters("p", types=text.types).values()]
    count = len(weights) - 1
    both = Means.from_members([*text.votes[:count], text.cell("neural")], weights)
    seconds = text.seconds("neural", *(f"vote-{k}" for k in range(count)))
    return found | {"vote-neural": (both, read_recipe("vote-neural").above, seconds)}


def scores(texts: Sequence[Scored]) -> list[dict[str, object]]:
    """One row for each text and recipe, with scores on the sentences on which nothing was chosen; and for
    each recipe, the mean of F1 and the sum of CPU seconds on XL-WA."""
    rows: list[dict[str, object]] = []
    of_recipe: dict[str, list[tuple[float, float]]] = {}
    for text in texts:
        of_text = recipes(text)
        rows += [{"pair": text.name, "recipe": name} for name in RECIPES if name not in of_text]
        for name, (means, above, seconds) in of_text.items():
            found = text.metrics(means, above, ROUNDS)
            low, high = np.percentile(found[1:, F1], [2.5, 97.5])
            every = text.metrics(means, above, part=None)[0]
            values = found[0, F1], low, high, found[0, AER], every[F1], every[AER]
            names = ("f1", "f1_low", "f1_high", "aer", "f1_all", "aer_all")
            rounded = {k: f"{value:.4f}" for k, value in zip(names, values, strict=True)}
            rows.append({"pair": text.name, "recipe": name, **rounded})
            if text.name in XLWA:
                of_recipe.setdefault(name, []).append((float(found[0, F1]), seconds))
    every = {name: own for name, own in of_recipe.items() if len(own) == len(XLWA)}
    for name, own in sorted(every.items(), key=lambda item: sum(s for _, s in item[1])):
        f1, spent = np.array(own).T
        mean = {"f1": f"{f1.mean():.4f}", "seconds": f"{spent.sum():.1f}"}
        rows.append({"pair": "xl-wa", "recipe": name, **mean})
    rows += [{"pair": "xl-wa", "recipe": name} for name in RECIPES if name not in every]
    return rows


def tuned(text: Text, name: str, cache: Path) -> dict[str, object]:
    """The scores of the recipe `tuned` on a text, and its CPU seconds."""
    # It needs PyTorch.
    from seggrid.score.tuning import tune

    recipe = read_recipe("tuned")
    if not Scored(text, name, cache).has("tuned"):
        voters = recipe.voters(name, types=word_types(text.source, text.target))
        begin = time.process_time()
        texts = text.source, text.target
        process = Process(progress=print, tune=tune)
        found = align_vote(voters, recipe.above, *texts, options=recipe.options, process=process)
        seconds = time.process_time() - begin
        assert found.means is not None
        arrays = packed([found.means.take(text.places)])
        write_arrays(cache / f"{name}.tuned.npz", arrays | {"seconds": np.array([seconds])})
    scored = Scored(text, name, cache)
    means = scored.cell("tuned")
    test = scored.metrics(means, recipe.above, ROUNDS)
    low, high = np.percentile(test[1:, F1], [2.5, 97.5])
    every = scored.metrics(means, recipe.above, part=None)[0]
    values = {"f1": test[0, F1], "f1_low": low, "f1_high": high, "aer_all": every[AER]}
    row: dict[str, object] = {"pair": name} | {k: f"{v:.4f}" for k, v in values.items()}
    return row | {"seconds": f"{scored.seconds('tuned'):.0f}"}


class Lines(NamedTuple):
    """Sentences with gold of which some at a time are one line.

    Attributes:
        sides: the words of the lines, source and target.
        sure, possible: their gold links.
    """

    sides: list[list[list[str]]]
    sure: Links
    possible: Links

    def scores(self, links: Links) -> dict[str, object]:
        """F1 and AER of links."""
        hits = count_hits(links, self.sure, self.possible).sum(axis=0)[None]
        found = compute_metrics(hits, np.array([len(self.sure.pairs)]))[0]
        return {"f1": f"{found[F1]:.4f}", "aer": f"{found[AER]:.4f}"}


def lines_of(text: Text, count: int, part: bool | None = None) -> Lines:
    """Lines of so many consecutive sentences with gold: of all, or only of the development sentences (`part`
    is True) or the others."""
    numbers = [k for k, own in enumerate(text.chosen_on) if part in (None, own)]
    sides: list[list[list[str]]] = [[], []]
    gold: list[list[list[tuple[int, int]]]] = [[], []]
    for first in range(0, len(numbers), count):
        line: list[list[str]] = [[], []]
        links: list[list[tuple[int, int]]] = [[], []]
        for k in numbers[first : first + count]:
            i, j = map(len, line)
            for own, of in zip(links, (text.sure, text.possible), strict=True):
                own += [(i + a, j + b) for a, b in of.sentence(k)]
            for words, side in zip(line, (text.source, text.target), strict=True):
                words += side[text.places[k]]
        for every, own_of in ((sides, line), (gold, links)):
            for side, own in zip(every, own_of, strict=True):
                side.append(own)
    return Lines(sides, *map(Links.from_sets, gold))


def joined(text: Text, name: str, recipes: Sequence[str]) -> Iterator[dict[str, object]]:
    """The scores on all sentences with gold if some at a time are one line; others are training text. `whole`
    is the recipe `neural` without a prior, where no sentences are matched."""
    others = sorted({*range(len(text.source))} - {*text.places.tolist()})
    training = [([text.source[k] for k in others], [text.target[k] for k in others])]
    usual = sentences.WHOLE
    for count, recipe in product(JOINED, recipes):
        lines = lines_of(text, count)
        begin = time.process_time()
        if recipe == WHOLE:
            sentences.WHOLE = 10**9
            found = seggrid.align(*lines.sides, "neural", diagonal="none")
            sentences.WHOLE = usual
        else:
            found = seggrid.align(*lines.sides, recipe, training=training)
        row: dict[str, object] = {"pair": name, "sentences": count, "recipe": recipe}
        row |= {**lines.scores(found.links), "seconds": f"{time.process_time() - begin:.1f}"}
        print(row, flush=True)
        yield row


def matching(text: Text, name: str) -> Iterator[dict[str, object]]:
    """F1 of the encoder on development sentences, of which some at a time are one line: with each bound of
    lines that stay whole, where lines are short, and each cost of matches that are not 1-1."""
    encoder, usual = Encoder(Options(), LAYERS[:1]), (sentences.WHOLE, sentences.COST)
    every = [(count, whole, usual[1]) for count in JOINED[:3] for whole in WHOLES]
    every += [(count, usual[0], cost) for count in JOINED[2:] for cost in COSTS]
    for count, whole, cost in dict.fromkeys(every):
        sentences.WHOLE, sentences.COST = whole, cost
        lines = lines_of(text, count, part=True)
        one, other = encoder.encode([Segmentation.from_words(side) for side in lines.sides])
        for prior in ("none", "length"):
            probable = link([(one, other)], LAYERS[0], diagonal=prior)[1]
            links = Means(probable.links, probable.probability).keep("posterior-0.55")
            row: dict[str, object] = {"pair": name, "sentences": count, "diagonal": prior}
            yield row | {"whole": whole, "cost": cost, "f1": lines.scores(links)["f1"]}
    sentences.WHOLE, sentences.COST = usual


def diagonals(texts: Sequence[Scored]) -> list[dict[str, object]]:
    """F1 with each prior, of the encoder alone and with the cells of `vote-small`, on development sentences
    and on the others."""
    rows = []
    files = [text.cells("diagonal") for text in texts]
    for (number, prior), part, other in product(
        enumerate(DIAGONALS), (True, False), (ALONE, "vote-small")
    ):
        found = []
        for text, own in zip(texts, files, strict=True):
            means, bound = own[number], "0.55"
            if other != ALONE:
                voters = text.votes[: VOTERS[other]]
                weights = [1.0, *[1 / len(voters)] * len(voters)]
                means, bound = Means.from_members([means, *voters], weights), "0.45"
            found.append(text.metrics(means, f"posterior-{bound}", part=part)[0, F1])
        row: dict[str, object] = {"with": other, "diagonal": prior}
        row |= {"sentences": "development" if part else "test", "f1": f"{np.mean(found):.4f}"}
        rows.append(row | {t.name: f"{f:.4f}" for t, f in zip(texts, found, strict=True)})
    return rows


def small(text: Text, name: str, encoder: Means) -> Iterator[dict[str, object]]:
    """F1 on development sentences of a text that is cut to so many sentence pairs, with shares of the encoder
    in the vote.

    Args:
        encoder: its probabilities of all sentences with gold.
    """
    development = np.flatnonzero(text.chosen_on)
    without_gold = np.setdiff1d(np.arange(len(text.source)), text.places)
    others = [*without_gold.tolist(), *text.places[~text.chosen_on].tolist()]
    for pairs, begin in product(SIZES, (0, 1)):
        # Of few pairs, the mean of two choices.
        if pairs > len(text.source) or begin * pairs > 200:
            continue
        scored = np.roll(development, -(begin * len(development) // 3))[:pairs]
        every = max(1, len(others) // max(1, pairs - len(scored)))
        places = [*text.places[scored].tolist(), *others[begin::every]][:pairs]
        sides = [[side[k] for k in places] for side in (text.source, text.target)]
        types = word_types(*sides)
        gold = [
            Links.from_sets([of.sentence(k) for k in scored]) for of in (text.sure, text.possible)
        ]
        voters = []
        for cell in read_recipe("vote-small").cells(name, types=types):
            means = align_cell(cell, *sides, Request(probabilities=True)).means
            assert means is not None
            voters.append(means.take(np.arange(len(scored))))
        for percent in PERCENT:
            weights = [percent, *[(100 - percent) / len(voters)] * len(voters)]
            means, bound = encoder.take(scored), "0.55"
            if percent < 100:
                means, bound = Means.from_members([means, *voters], weights), "0.45"
            hits = count_hits(means.keep(f"posterior-{bound}"), *gold).sum(axis=0)[None]
            f1 = compute_metrics(hits, np.array([len(gold[0].pairs)]))[0, F1]
            row: dict[str, object] = {"pair": name, "pairs": pairs, "types": types}
            yield row | {"encoder_percent": percent, "f1": round(float(f1), 4)}


def settings(texts: Sequence[Scored]) -> list[dict[str, object]]:
    """Mean F1 on development sentences at each setting of the encoder, alone and in a vote."""
    rows = []
    files = [text.cells("encoder") for text in texts]
    members = {ALONE: [], "bpe": [1], "vote-small": [0, 1, 2], "vote": [*range(6)]}
    for number, (layer, temperature) in enumerate((a, b) for a in LAYERS for b in TEMPERATURES):
        for other, places in members.items():
            for weight in WEIGHTS if places else (1.0,):
                shares = [weight, *[(1 - weight) / max(1, len(places))] * len(places)]
                means = [
                    Means.from_members([own[number], *(text.votes[k] for k in places)], shares)
                    for text, own in zip(texts, files, strict=True)
                ]
                for bound in BOUNDS:
                    found = [
                        text.metrics(one, f"posterior-{bound}", part=True)[0, F1]
                        for text, one in zip(texts, means, strict=True)
                    ]
                    row: dict[str, object] = {"with": other, "weight": weight, "layer": layer}
                    row |= {"temperature": temperature, "above_percent": round(100 * float(bound))}
                    row |= {"f1": f"{np.mean(found):.4f}"}
                    rows.append(
                        row | {t.name: f"{f:.4f}" for t, f in zip(texts, found, strict=True)}
                    )
    return rows


def mutual(texts: Sequence[Scored]) -> list[dict[str, object]]:
    """Mean F1 of each recipe by how strongly the links of a word compete: p · (p / a · p / b)^power, with a
    and b the probabilities of the most probable links of its words; on development and on test sentences. The
    chosen threshold has the highest F1 on development sentences."""
    rows: list[dict[str, object]] = []
    found = [recipes(text) for text in texts]
    for name, power in product((name for name in COMPETING if name in found[0]), POWERS):
        means = []
        for text, own in zip(texts, found, strict=True):
            p, competing = own[name][0].probability, own[name][0].mutual()
            share = np.divide(competing.probability, p, out=np.zeros(len(p)), where=p > 0)
            means.append((text, Means(competing.links, p * share**power)))
        own = np.array(
            [
                [
                    [t.metrics(m, f"posterior-{above}", part=part)[0, F1] for t, m in means]
                    for part in (True, False)
                ]
                for above in THRESHOLDS
            ]
        ).mean(axis=2)
        best = int(own[:, 0].argmax())
        for number, (above, (development, test)) in enumerate(zip(THRESHOLDS, own, strict=True)):
            row: dict[str, object] = {"recipe": name, "power": power, "above": above}
            row |= {"development": f"{development:.4f}", "test": f"{test:.4f}"}
            rows.append(row | {"chosen": "yes" if number == best else ""})
    return rows


def write(name: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write a table."""
    with (TABLES / name).open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(
            file, dict.fromkeys(k for row in rows for k in row), lineterminator="\n"
        )
        table.writeheader()
        table.writerows(rows)


def main() -> None:
    """Parse the arguments, and do the stage that was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "stage", choices=("align", "tables", "tuned", "joined", "matching", "small")
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("texts", nargs="*", default=TEXTS)
    parser.add_argument("--recipes", nargs="+", default=(WHOLE, "words", "neural", "vote-neural"))
    arguments = parser.parse_args()
    texts = {name: read(arguments.data, name) for name in arguments.texts}
    if arguments.stage == "align":
        arguments.cache.mkdir(exist_ok=True)
        for name, text in texts.items():
            align(text, name, arguments.cache)
        return
    if arguments.stage == "joined":
        rows = (
            row for name, text in texts.items() for row in joined(text, name, arguments.recipes)
        )
        write("neural-joined.csv", list(rows))
        return
    if arguments.stage == "small":
        rows = (
            row
            for name, text in texts.items()
            for row in small(text, name, Scored(text, name, arguments.cache).cell("neural"))
        )
        found = pd.DataFrame(rows)
        by_text = found.groupby(["pair", "pairs", "encoder_percent"], sort=False)["f1"].mean()
        mean = (
            by_text.groupby(["pairs", "encoder_percent"], sort=False).mean().round(4).reset_index()
        )
        found = pd.concat([found, mean.assign(pair="mean")])
        found.to_csv(TABLES / "neural-small.csv", index=False)
        return
    if arguments.stage == "matching":
        rows = (row for name, text in texts.items() for row in matching(text, name))
        write("neural-matching.csv", list(rows))
        return
    if arguments.stage == "tuned":
        arguments.cache.mkdir(exist_ok=True)
        write(
            "neural-tuned.csv", [tuned(own, name, arguments.cache) for name, own in texts.items()]
        )
        return
    aligned = [Scored(text, name, arguments.cache) for name, text in texts.items()]
    write("neural-recipes.csv", scores(aligned))
    write("neural-mutual.csv", mutual(aligned))
    whole = [text for text in aligned if len(text.votes) == VOTERS["vote"] and text.has("encoder")]
    write("neural-settings.csv", settings(whole))
    write("neural-diagonal.csv", diagonals([text for text in whole if text.has("diagonal")]))


if __name__ == "__main__":
    main()
