"""The command `seggrid`: segment, align, score and measure texts of your own, as the workflow does."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

from seggrid import __version__
from seggrid.base.steps import shown
from seggrid.cli.files import check_files
from seggrid.errors import InputError, Note, Refusal, of_system, one_line

VERBS = {
    "tag": "tag the words of a text with their parts of speech",
    "learn": "learn a segmenter's model on a text",
    "segment": "cut a text into tokens",
    "prune": "prune a learned BPE by a morphological reference",
    "tree": "show how the merges of a BPE build words",
    "convert": "read or write a BPE as merges.txt, vocab.json or tokenizer.json",
    "align": "link the words of two texts",
    "symmetrize": "join the links of two directions",
    "remap": "turn links of one tokenization into those of another",
    "lexicon": "list the words that are linked, with their probabilities",
    "score": "score links against gold links",
    "measure": "measure a segmentation: fertility, Rényi efficiency, and more",
    "recommend": "find the segmentation and the links that are likely best for a pair",
    "new": "make a folder for a study of your own, to begin with",
    "run": "run the grid of a config in this folder",
    "plan": "say what a run of the workflow would do, and why",
    "verify": "name the results that something other than the workflow has changed",
}
"""Each verb is a module with `add_arguments(parser)` and `run(arguments)`. If it has `OWN_OPTIONS`, all
arguments from the first other option on are passed on, as `arguments.passed_on`."""


OF_GRIDS = ("new", "run", "plan", "verify")
"""The verbs whose modules are in `seggrid.cli.grid`; those of the others are in `seggrid.cli.texts`."""


EXAMPLES = {
    "align": (
        "eng.txt deu.txt -o links.txt",
        "eng.txt deu.txt --recipe bpe-fast_align --keep models -o fast.gz",
        "eng.txt deu.txt --models models -o again.zst",
        "eng.txt deu.txt --set gibbs.samplers=1 --scores scores.tsv -o one.txt",
    ),
    "remap": ("links.txt --source tokens.eng eng.txt --target tokens.deu deu.txt -o remapped.txt",),
    "lexicon": ("eng.txt deu.txt --links links.txt --threshold 0.1 -o lexicon.tsv",),
    "score": ("links.txt gold.txt",),
    "recommend": ("eng.txt deu.txt -o best.yaml",),
    "symmetrize": ("forward.txt reverse.txt -o both.txt",),
    "learn": ("eng.txt --merges 500 -o eng.model",),
    "segment": ("eng.txt -m eng.model --merges 500 -o eng.bpe",),
    "measure": ("eng.txt -m eng.model --merges 500",),
    "tag": ("eng.txt --language English -o eng.tags",),
    "prune": ("eng.model --morphemes eng.morphemes.tsv -o pruned.model",),
    "tree": ("eng.model independence -o tree.svg",),
    "convert": ("eng.model --to tokenizer --text eng.txt -o tokenizer.json",),
}
"""Examples in the help of verbs; docs/commands.md has them with the paths of the built-in pair."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Returns:
        The exit status: 0; 2 after an error, whose line is printed; 130 after Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    _open_standard_streams()
    try:
        try:
            _run(given)
        finally:
            sys.stdout.flush()
    except InputError as error:
        print(Refusal(error), file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has closed the output: prevent Python from flushing it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"error: {of_system(error)}", file=sys.stderr)
        return 2
    except MemoryError as error:
        message = f"too little memory: {error}".removesuffix(": ")
        hint = "give less text, or close other programs"
        print(f"error: {InputError(message, hint=hint)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0


def _run(given: list[str]) -> None:
    """Parse the arguments, check the files that they name, and call the verb."""
    verb = next((word for word in given if not word.startswith("-")), None)
    if verb is not None and verb not in VERBS:
        close = get_close_matches(verb, VERBS, 1)
        hint = f"did you mean {close[0]}?" if close else "seggrid --help lists them"
        raise InputError(f"there is no command {verb!r}", hint=hint)
    parser = _Parser(prog="seggrid", description=__doc__)
    parser.add_argument("--version", action="version", version=f"seggrid {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, text in VERBS.items():
        description = f"{text[0].upper()}{text[1:]}."
        examples = [f"  seggrid {name} {line}" for line in EXAMPLES.get(name, ())]
        own = verbs.add_parser(
            name,
            help=text,
            description=description,
            epilog="\n".join([_EXAMPLES, *examples]) if examples else None,
            formatter_class=_Help,
        )
        # Import only the verb that is called, since some verbs import a compiler.
        if name == verb:
            module = import_module(module_of(name))
            module.add_arguments(own)
            given, passed_on = _split(given, getattr(module, "OWN_OPTIONS", None))
            own.set_defaults(run=module.run, parser=own, passed_on=passed_on)
    parsed, unknown = parser.parse_known_args(given)
    if unknown:
        # By the parser of the verb, whose --help lists the options.
        parsed.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    check_files(parsed.parser, parsed)
    with shown(sys.stderr), _notes():
        parsed.run(parsed)


@contextmanager
def _notes() -> Iterator[None]:
    """Print each `Note` as one line."""
    with warnings.catch_warnings():
        other = warnings.showwarning

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, Note):
                print(f"note: {message}", file=sys.stderr)
            else:
                other(message, category, *where, **more)

        warnings.showwarning = show
        warnings.simplefilter("always", Note)
        yield


def module_of(verb: str) -> str:
    """The name of a verb's module."""
    return f"seggrid.cli.{'grid' if verb in OF_GRIDS else 'texts'}.{verb}"


def _split(given: list[str], own: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """The arguments before and from the first option on that is not one of a verb's own."""
    for place, word in enumerate(given):
        is_option = word.startswith("-") and word != "-"
        if own is not None and is_option and word.partition("=")[0] not in own:
            return given[:place], given[place:]
    return given, []


def _open_standard_streams() -> None:
    """Make the formats on standard output UTF-8 in any locale, as in files, and tell if it is closed."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    elif sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


class _Closed(io.TextIOBase):
    """Stands for a standard output that the caller has closed."""

    def write(self, text: str) -> NoReturn:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


class _Parser(argparse.ArgumentParser):
    """Prints one line about a mistaken option."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {one_line(message)} ({self.prog} --help lists the options)\n")


_EXAMPLES = "examples:"


class _Help(argparse.ArgumentDefaultsHelpFormatter):
    """Help with the defaults of the options that have one, and an example on each line."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(_EXAMPLES) else super()._fill_text(text, width, indent)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        given = action.default not in (None, False, [])
        return super()._get_help_string(action) if given else action.help
