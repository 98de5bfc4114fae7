"""Inputs and parameters of the rules beside this file."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from seggrid.base.rational import spell_rational
from seggrid.grid.grid import Segmented
from seggrid.grid.rules.files import size_mb
from seggrid.grid.rules.inputs import (
    Function,
    Inputs,
    Wildcards,
    format_of,
    from_outside,
    options,
)
from seggrid.segment import SEGMENTERS
from seggrid.studies.morphology.config import Morphology
from seggrid.studies.morphology.study import Evaluations, evaluated


class EvaluationInputs(Inputs):
    """What the rules of evaluations ask."""

    @cached_property
    def entries(self) -> dict[str, Morphology]:
        """The evaluations by name."""
        return dict(Evaluations.given(self.config))

    @cached_property
    def prunable(self) -> list[str]:
        """The evaluations whose model can be pruned."""
        return [name for name, entry in self.entries.items() if entry.can_be_pruned]

    def evaluated(self, wc: Wildcards) -> Segmented | None:
        """The segmentation that is evaluated; None for a tokenizer from elsewhere."""
        return evaluated(self.grid, wc.name)

    def reference(self, wc: Wildcards) -> Any:
        """The reference."""
        return self.outside(self.entries[wc.name].reference.file)

    def frequencies(self, wc: Wildcards) -> Any:
        """The frequencies of its words."""
        return self.outside(self.entries[wc.name].reference.frequencies)

    def published(self, wc: Wildcards) -> Any:
        """The published scores."""
        return self.outside(self.entries[wc.name].published)

    def corpus(self, wc: Wildcards) -> Any:
        """The text of the segmentation."""
        own = self.evaluated(wc)
        return own.corpus if own else []

    def evaluated_model(self, wc: Wildcards) -> Any:
        """A model that was learned, or a tokenizer from elsewhere that is not pruned."""
        own, files = self.evaluated(wc), self.entries[wc.name].tokenizer
        return self.model_of(own) if own else self.outside(files and files.file)

    def tokenizer(self, wc: Wildcards) -> Any:
        """A tokenizer from elsewhere that can be pruned."""
        files = self.entries[wc.name].tokenizer
        return self.outside(files.merges or files.tokenizer) if files else []

    def vocabulary(self, wc: Wildcards) -> Any:
        """Its vocabulary."""
        files = self.entries[wc.name].tokenizer
        return self.outside(files.vocabulary) if files else []

    @property
    def read(self) -> dict[str, Function]:
        """What every evaluation reads."""
        return {
            "reference": self.reference,
            "frequencies": self.frequencies,
            "corpus": self.corpus,
            "model": self.evaluated_model,
            "tokenizer": self.tokenizer,
            "vocabulary": self.vocabulary,
        }

    def joint(self, wc: Wildcards) -> list[str]:
        """The texts of a joint model."""
        own = self.evaluated(wc)
        return own.joint if own else []

    def of_segmenter_named(self, wc: Wildcards) -> list[str]:
        """The module of the segmenter."""
        own = self.evaluated(wc)
        return [(own.registered if own else SEGMENTERS["external"]).__module__]

    def reference_settings(self, wc: Wildcards) -> list[str]:
        """How the reference is read."""
        entry = self.entries[wc.name].reference
        return options({"format": entry.format, "wordfreq": entry.wordfreq})

    def prunable_settings(self, wc: Wildcards) -> list[str]:
        """The tokenizer. A model with a vocabulary size has exactly its own merges."""
        own = self.evaluated(wc)
        if own:
            return options({"merges": own.spec.merges, "case": own.spec.case})
        return options({"tokenizer": self.tokenizer(wc), "vocabulary": self.vocabulary(wc)})

    def pruned_settings(self, wc: Wildcards) -> list[str]:
        """The tokenizer and its variants."""
        entry = self.entries[wc.name]
        variants = {"knockout": entry.variants, "sweep": entry.figures}
        return self.prunable_settings(wc) + options(variants)

    def segmenter_settings(self, wc: Wildcards) -> list[str]:
        """Any other segmenter."""
        own, files = self.evaluated(wc), self.entries[wc.name].tokenizer
        if own is None:
            return options({"spec": "external", "model_format": files and files.format})
        given = {"spec": own.spec, "model_format": format_of(own.tokenizer)}
        return options(given | {"learned_from": own.joint})

    def evaluation_settings(self, wc: Wildcards) -> list[str]:
        """On what entries it is evaluated, and with which dropout."""
        entry = self.entries[wc.name]
        rates = list(map(spell_rational, entry.dropout))
        return options({"evaluation": entry.evaluation, "dropout": rates, "repeats": entry.repeats})

    def mb(self, wc: Wildcards) -> float:
        """The size of what an evaluation reads."""
        own = self.entries[wc.name].learned
        text = self.files.text_mb([own.pair]) if own else 0
        return text + size_mb(from_outside(wc, (*self.read.values(), self.published)))
