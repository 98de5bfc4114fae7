"""seggrid: what a word segmentation does to word alignment and to morphology.

    align(source, target, recipe="bpe", ...)    link the words of two texts
    Aligner                                     learn, save and load models, align other text
    Segmenter                                   learn, load, save a segmentation, and cut text
    score(links, gold)                          precision, recall, F1 and AER
    read_links(file), read_gold(file)           links of this or another program, and gold
    filter(source, target, ...)                 which sentence pairs are likely translations
    symmetrize(forward, reverse)                the links of two directions, joined
    remap(links, source, target)                links between the words of another tokenization
    show(links, source, target)                 a page that shows links in a browser
    prune(model, morphemes)                     a BPE without the merges that a reference blames
    tree(model, words)                          how merges build words
    convert(file, to=..., output=...)           a BPE in the format of another program
    tokenize(text)                              the words of raw text
    measure(text, segmenter)                    intrinsic measures of a segmentation
    plugin(file)                                segmenters, aligners and studies of your own
    recommend(source, target)                   the settings that are probably best for a pair
    tag(text, language)                         words with their parts of speech
    new(folder)                                 a folder for a study, to begin with
    plan(config)                                what a run of a grid would do, and why
    run(config)                                 run a grid; its tables
    diff(first, second)                         what differs between two runs
    crate(folder, output=...)                   a run as a folder that others can repeat
    reproduce(crate, output=...)                run it again; whether the tables are the same
    check_plugin(file)                          whether a segmenter or aligner does what it must

Texts are lists of sentences, or paths. A wrong text, file or setting raises
`seggrid.base.errors.InputError`, a message of one line. The command `seggrid` calls the same functions. They
are imported when they are first used: `import seggrid` imports nothing heavy.

The subpackages hold the algorithms as pure functions over plain arrays and strings; they know nothing of
Snakemake, and `workflow/` turns them into jobs.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seggrid.commands.aligner import Aligner, align
    from seggrid.commands.alignment import Alignment
    from seggrid.commands.check_plugin import check_plugin, plugin
    from seggrid.commands.convert import convert
    from seggrid.commands.crate import crate
    from seggrid.commands.diff import diff
    from seggrid.commands.filtering import filter
    from seggrid.commands.measurement import measure
    from seggrid.commands.new import new
    from seggrid.commands.plan import plan
    from seggrid.commands.prune import prune
    from seggrid.commands.recommendation import recommend
    from seggrid.commands.remap import remap
    from seggrid.commands.reproduce import reproduce
    from seggrid.commands.run import run
    from seggrid.commands.scoring import read_gold, read_links, score
    from seggrid.commands.segmenter import Segmenter
    from seggrid.commands.show import show
    from seggrid.commands.symmetrize import symmetrize
    from seggrid.commands.tag import tag
    from seggrid.commands.texts import tokenize
    from seggrid.commands.tree import tree

__version__ = "1.0.0"

__all__ = [
    "Aligner",
    "Alignment",
    "Segmenter",
    "align",
    "check_plugin",
    "convert",
    "crate",
    "diff",
    "filter",
    "measure",
    "new",
    "plan",
    "plugin",
    "prune",
    "read_gold",
    "read_links",
    "recommend",
    "remap",
    "reproduce",
    "run",
    "score",
    "show",
    "symmetrize",
    "tag",
    "tokenize",
    "tree",
]

_MODULES = {
    "commands.aligner": ("Aligner", "align"),
    "commands.alignment": ("Alignment",),
    "commands.check_plugin": ("check_plugin", "plugin"),
    "commands.convert": ("convert",),
    "commands.crate": ("crate",),
    "commands.diff": ("diff",),
    "commands.filtering": ("filter",),
    "commands.measurement": ("measure",),
    "commands.new": ("new",),
    "commands.plan": ("plan",),
    "commands.prune": ("prune",),
    "commands.recommendation": ("recommend",),
    "commands.remap": ("remap",),
    "commands.reproduce": ("reproduce",),
    "commands.run": ("run",),
    "commands.scoring": ("read_gold", "read_links", "score"),
    "commands.segmenter": ("Segmenter",),
    "commands.show": ("show",),
    "commands.symmetrize": ("symmetrize",),
    "commands.tag": ("tag",),
    "commands.texts": ("tokenize",),
    "commands.tree": ("tree",),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    module = next((module for module, names in _MODULES.items() if name in names), None)
    if module is None:
        raise AttributeError(f"module 'seggrid' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"seggrid.{module}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps `align` and `score` functions, although subpackages have these names too: importing such a
    subpackage does not replace the function. `from seggrid.align import ...` still finds the subpackage."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
