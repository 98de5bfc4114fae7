"""Parts of configs for tests."""

import textwrap

import pytest

from seggrid.grid.config import config_model

SIDE = "{language: English, text: text.txt}"
PAIR = f"""\
pairs:
  p:
    source: {SIDE}
    target: {SIDE}
    gold: {{file: gold.txt}}
"""
EXPERIMENTS = "experiments: {x: {merges: 5}}\n"
LEARNED = "learned: {pair: p, side: source, merges: 5}"


def skip_without_its_studies(config):
    """Skip the test of a config that asks for a study that was removed, with its key; a key that no study
    ever had stays a mistake."""
    gone = {"published", "ensemble", "morphology", "language_models", "export"}
    if config.keys() & gone - config_model().model_fields.keys():
        pytest.skip("it asks for a study that was removed")


def experiment(text):
    """A config with one experiment."""
    return PAIR + "experiments:\n" + textwrap.indent(text, "  ")
