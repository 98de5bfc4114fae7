"""Parts of configs for tests."""

import textwrap

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


def experiment(text):
    """A config with one experiment."""
    return PAIR + "experiments:\n" + textwrap.indent(text, "  ")
