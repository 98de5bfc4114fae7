"""Sizes of language models, and learning rates. The config imports them; this module must not need torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """The size of a RoBERTa, and its default learning rates.

    Attributes:
        layers: number of layers.
        hidden: width.
        heads: number of attention heads.
        inner: width of the feed-forward layers.
        learning_rate: learning rate of training.
        fine_tuning_rate: learning rate of fine-tuning.
    """

    layers: int
    hidden: int
    heads: int
    inner: int
    learning_rate: float
    fine_tuning_rate: float

    def parameters(self, vocabulary: int, sequence: int) -> int:
        """The number of weights of a masked language model: embeddings (shared with the output), layers,
        output layer.

        >>> round(PRESETS["base"].parameters(40_000, 128) / 1e6)
        117
        """
        width, inner = self.hidden, self.inner
        embeddings = (vocabulary + sequence + 2 + 1) * width + 2 * width
        layer = 4 * (width + 1) * width + (width + 1) * inner + (inner + 1) * width + 4 * width
        return embeddings + self.layers * layer + (width + 1) * width + 2 * width + vocabulary


PRESETS = {
    "tiny": Preset(2, 128, 2, 512, 1e-3, 5e-4),
    "small": Preset(4, 256, 4, 1024, 5e-4, 2e-4),
    "base": Preset(12, 768, 12, 3072, 1e-4, 5e-5),
}
"""`base` is RoBERTa-base (Liu et al. 2019); its learning rate is that of Bauwens and Delobelle (2024)."""
