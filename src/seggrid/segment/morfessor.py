"""Morfessor Baseline (Creutz and Lagus 2002; Virpioja et al. 2013), run by its own package, with a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seggrid.base.errors import InputError, one_line
from seggrid.base.extras import import_installed
from seggrid.segment.model_file import Content
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.units import WordTypes
from seggrid.text.boundary import BOUNDARY
from seggrid.text.segmentation import Sentences

if TYPE_CHECKING:
    from seggrid.segment.side import Side

SEED = 1
"""Seed of the order in which words are visited."""
EPOCHS = 30
"""The most passes over the words; with few words, no weight may give the requested number of morphs."""


_LONGEST = 1000
"""The most characters of a word: the library's time grows with their square, in each of its passes."""


@dataclass(frozen=True)
class Morfessor(Segmenter):
    """The number of occurrences and the morphs of each word."""

    name = "morfessor"
    label = "Morfessor"
    axes = ("joint", "merges")
    learns = True
    nested = False
    size_unit = "morphs"
    tolerance = 0.05
    least_size = 1
    requires = ("morfessor",)

    words: dict[str, tuple[int, tuple[str, ...]]]

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> Morfessor:
        """Learn about `size` morphs, to which the corpus weight is adjusted; a weight of 1 may give fewer."""
        library = import_installed("tokenizers", "morfessor", user="the segmenter morfessor")
        if size < cls.least_size:
            raise InputError(f"{size} morphs", hint=f"give a number from {cls.least_size} on")
        types = WordTypes.from_sentences(sentences)
        counts = dict(zip(types.words, types.counts.tolist(), strict=True))
        if (longest := max(counts, key=len, default="")) and len(longest) > _LONGEST:
            raise InputError(
                f"the word {one_line(longest, 40)!r} of {len(longest):,} characters, which takes Morfessor "
                "minutes",
                hint=f"leave it out, or give it to --glossary; at most {_LONGEST:,} are allowed",
            )
        import logging

        logging.getLogger("morfessor").setLevel(logging.ERROR)
        library.utils.show_progress_bar = False
        state = random.getstate()
        try:
            model = library.BaselineModel()
            if size < len(counts):
                weight = library.baseline.NumMorphCorpusWeight(size, cls.tolerance)
                model.set_corpus_weight_updater(weight)
            model.load_data([(count, word) for word, count in counts.items()])
            random.seed(SEED)
            model.train_batch(max_epochs=EPOCHS)
        finally:
            random.setstate(state)
        return cls({word: (count, tuple(model.segment(word))) for word, count in counts.items()})

    def cut(self, words: Sequence[str], side: Side) -> Iterator[list[str]]:
        """Cut words of the training text as they were learned, others by the library's Viterbi search."""
        unknown = [word for word in words if word not in self.words]
        found = {word: morphs for word, (_, morphs) in self.words.items()}
        if unknown:
            package = import_installed("tokenizers", "morfessor", user="the segmenter morfessor")
            library = package.BaselineModel()
            rows = [(count, word, list(morphs)) for word, (count, morphs) in self.words.items()]
            library.load_segmentations(rows)
            found |= {word: tuple(library.viterbi_segment(word)[0]) for word in unknown}
        for word in words:
            first, *rest = found[word]
            yield [BOUNDARY + first, *rest]

    def types(self, side: Side) -> set[str]:
        """The morphs of two or more characters, with `▁` before those that begin a word."""
        return {
            (BOUNDARY if not place else "") + morph
            for _, morphs in self.words.values()
            for place, morph in enumerate(morphs)
            if len(morph) > 1
        }

    @property
    def learned(self) -> int:
        return len({morph for _, morphs in self.words.values() for morph in morphs})

    def rows(self) -> Content:
        words = [[str(count), *morphs] for count, morphs in self.words.values()]
        return Content({}, {"words": words})

    @classmethod
    def of_rows(cls, content: Content) -> Morfessor:
        words = {
            "".join(morphs): (int(count), tuple(morphs))
            for count, *morphs in content.tables["words"]
        }
        if not all(count > 0 and morphs for count, morphs in words.values()):
            raise ValueError("no word that was learned")
        return cls(words)
