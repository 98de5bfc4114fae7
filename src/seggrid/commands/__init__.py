"""The command `seggrid`: segment, align, score and measure texts of your own, as the workflow does."""

from __future__ import annotations

import argparse
import atexit
import gc
import io
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from seggrid.base.errors import InputError, Note, Refusal, RunError, of_system, one_line
from seggrid.base.parsers import Store, options_by_name
from seggrid.base.steps import shown


class Verb(NamedTuple):
    """A verb of the command.

    Attributes:
        help: what it does.
        module: module of `seggrid.commands` with its function `command`, whose signature declares its
            options.
        examples: those of its help, which docs/commands.md has with the paths of the built-in pair.
    """

    help: str
    module: str
    examples: tuple[str, ...] = ()


VERBS = {
    "tag": Verb(
        "tag the words of a text with their parts of speech",
        "tag",
        ("eng.txt --language English -o eng.tagged",),
    ),
    "learn": Verb(
        "learn a segmenter's model on a text", "learn", ("eng.txt --merges 500 -o eng.model",)
    ),
    "segment": Verb(
        "cut a text into tokens", "segment", ("eng.txt -m eng.model --merges 500 -o eng.bpe",)
    ),
    "prune": Verb(
        "prune a learned BPE by a morphological reference",
        "prune",
        ("eng.model --morphemes eng.morphemes.tsv -o pruned.model",),
    ),
    "tree": Verb(
        "show how the merges of a BPE build words",
        "tree",
        ("eng.model independence -o tree.svg",),
    ),
    "convert": Verb(
        "read or write a BPE as merges.txt, vocab.json or tokenizer.json",
        "convert",
        ("eng.model --to tokenizer --text eng.txt -o tokenizer.json",),
    ),
    "align": Verb(
        "link the words of two texts",
        "align",
        (
            "eng.txt deu.txt -o links.txt",
            "eng.txt deu.txt --recipe bpe-fast_align --keep models -o fast.gz",
            "eng.txt deu.txt --models models -o again.zst",
            "eng.txt deu.txt --set gibbs.samplers=1 --scores scores.tsv -o one.txt",
        ),
    ),
    "symmetrize": Verb(
        "join the links of two directions", "symmetrize", ("forward.txt reverse.txt -o both.txt",)
    ),
    "remap": Verb(
        "turn links of one tokenization into those of another",
        "remap",
        ("links.txt --source tokens.eng eng.txt --target tokens.deu deu.txt -o remapped.txt",),
    ),
    "filter": Verb(
        "leave out sentence pairs by score, length and unaligned words",
        "filtering",
        (
            "eng.txt deu.txt --longest 80 --ratio 3 --outputs kept.eng kept.deu",
            "eng.txt deu.txt --scores scores.tsv --least-score -16 -o kept.tsv",
        ),
    ),
    "score": Verb("score links against gold links", "score", ("links.txt gold.txt",)),
    "show": Verb(
        "show links in a browser, sentence by sentence",
        "show",
        ("links.txt eng.txt deu.txt --gold gold.txt -o links.html",),
    ),
    "measure": Verb(
        "measure a segmentation: fertility, Rényi efficiency, and more",
        "measure",
        ("eng.txt -m eng.model --merges 500",),
    ),
    "recommend": Verb(
        "find the segmentation and the links that are likely best for a pair",
        "recommend",
        ("eng.txt deu.txt -o best.yaml",),
    ),
    "check-plugin": Verb(
        "check that a segmenter, aligner or study of your own does what it must", "check_plugin"
    ),
    "new": Verb("make a folder for a study of your own, to begin with", "new"),
    "run": Verb("run the grid of a config in this folder", "run"),
    "plan": Verb("say what a run of the workflow would do, and why", "plan"),
    "diff": Verb(
        "say what differs between two runs: settings, inputs, cells, scores with tests", "diff"
    ),
    "crate": Verb("pack a finished run with its config and inputs, as an RO-Crate", "crate"),
    "reproduce": Verb(
        "run a packed run again, and say whether every table is the same", "reproduce"
    ),
    "completion": Verb(
        "print a script by which a shell completes commands and options",
        "completion",
        ("bash > ~/.local/share/bash-completion/completions/seggrid",),
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns the exit status: 0; 1 if a job failed; 2 after a mistake, which is printed;
    130 after Ctrl-C."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _start_lightly()
    _open_standard_streams()
    try:
        try:
            _run(words)
        finally:
            print(end="", flush=True)
    except InputError as error:
        print(Refusal(error), file=sys.stderr)
        return 2
    except RunError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has closed the output, so Python must not flush it at exit.
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


def _run(words: list[str]) -> None:
    """Parse the arguments, check the files that they name, and call the verb."""
    verb = next((word for word in words if not word.startswith("-")), None)
    if verb is not None and verb not in VERBS:
        close = get_close_matches(verb, VERBS, 1)
        hint = f"did you mean {close[0]}?" if close else "seggrid --help lists them"
        raise InputError(f"there is no command {verb!r}", hint=hint)
    if verb is None or words[0] != verb:
        command_parser().parse_args(words)
        raise InputError(f"{words[0]} before the command", hint="give the command first")
    if verb in ("segment", "learn", "align", "measure"):  # which have the option --plugin
        _load_plugins(words)
    # Imported where they are needed, as below: so `--version` takes a third less.
    from seggrid.commands.files import check_files

    parser = parser_of(verb)
    passes_on = parser.get_default("passed_on") is not None
    own, passed_on = _split(words[1:], parser) if passes_on else (words[1:], [])
    # Options may stand between positional arguments.
    parsed, unknown = parser.parse_known_intermixed_args(own)
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{_meant(unknown, parser)}")
    parsed.passed_on = passed_on
    check_files(parser, parsed)
    quiet = getattr(parsed, "quiet", False)
    with (
        open(os.devnull, "w") as nowhere,
        redirect_stderr(nowhere if quiet else sys.stderr),
        shown(sys.stderr),
        _notes(),
    ):
        _call(parsed)


def _call(parsed: argparse.Namespace) -> None:
    """Call the verb; a mistake in the code of a plug-in is told as one of the user."""
    try:
        parsed.run(parsed)
    except (Exception, SystemExit):
        from seggrid.grid.plugins import blamed

        with blamed():
            raise


def command_parser(*, whole: bool = False) -> argparse.ArgumentParser:
    """The parser of the options before a verb, whose help lists the verbs; the `whole` one also has the
    options of each."""
    from importlib.metadata import version

    parser = _Parser(prog="seggrid", description=__doc__)
    parser.add_argument("--version", action="version", version=f"seggrid {version('seggrid')}")
    added = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, row in VERBS.items():
        options = [parser_of(name)] if whole else []
        added.add_parser(name, help=row.help, parents=options, add_help=not whole)
    return parser


def parser_of(verb: str) -> _Parser:
    """The parser of the options of a verb."""
    from seggrid.base.options import add_options, call_with_options

    def run(parsed: argparse.Namespace) -> None:
        call_with_options(module.command, dict(vars(parsed)))

    row = VERBS[verb]
    module = import_module(f"seggrid.commands.{row.module}")
    examples = [f"  seggrid {verb} {line}" for line in row.examples]
    parser = _Parser(
        prog=f"seggrid {verb}",
        description=f"{row.help[0].upper()}{row.help[1:]}.",
        epilog="\n".join([_EXAMPLES, *examples]) if examples else None,
        formatter_class=_Help,
    )
    if hasattr(module, "epilog"):
        parser.epilog = "\n".join(filter(None, [module.epilog(), parser.epilog]))
    add_options(parser, module.command)
    parser.set_defaults(run=run)
    if rest := parser.get_default("passed_on"):
        # Without the colors of a terminal, which Python adds from 3.14 on.
        plain = re.sub(r"\x1b\[[0-9;]*m", "", parser.format_usage())
        own = plain.removeprefix("usage: ").rstrip()
        parser.usage = f"{own} [{rest.name} ...] [-- FILE ...]".replace("%", "%%")
    else:
        group = parser.add_argument_group("messages")
        group.add_argument("--quiet", action="store_true", help="print nothing but mistakes")
    return parser


def _load_plugins(words: Sequence[str]) -> None:
    """Load the plug-ins that `--plugin` names before the options are made, since they define values of some;
    and those of installed packages if help lists them, or a name is not one of seggrid's own."""
    from seggrid.segment import SEGMENTERS

    parser = _Parser(prog=f"seggrid {words[0]}", add_help=False)
    parser.add_argument("--plugin", action="append", default=[])
    parser.add_argument("--segmenter", default="bpe")
    parser.add_argument("--aligner")
    given, rest = parser.parse_known_args(words)
    lists = any(word.startswith(("-h", "--help", "--as", "--against")) for word in rest)
    foreign = given.segmenter not in SEGMENTERS
    if given.aligner is not None:
        from seggrid.align import ALIGNERS

        foreign |= given.aligner not in ALIGNERS
    if lists or foreign:
        from seggrid.grid.plugins import load_installed

        load_installed()
    for plugin in given.plugin:
        from seggrid.grid.plugins import load

        load(plugin)


def _meant(unknown: Sequence[str], parser: argparse.ArgumentParser) -> str:
    """A suggestion for the first mistyped option; empty if no option is similar."""
    known = list(options_by_name(parser))
    given = [word.partition("=")[0] for word in unknown if word.startswith("--")]
    close = [name for word in given for name in get_close_matches(word, known, 1)]
    return f": did you mean {close[0]}?" if close else ""


@contextmanager
def _notes() -> Iterator[None]:
    """Print each `Note` as one line, and only once, since parts of a text may cause the same note; its hint,
    in parentheses at the end, only with the first note that has it."""
    with warnings.catch_warnings():
        other = warnings.showwarning
        shown: set[str] = set()

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, Note):
                told, _, hint = str(message).rpartition(" (")
                if str(message) not in shown:
                    whole = told.count("(") == told.count(")")
                    again = whole and hint.endswith(")") and hint in shown
                    print(f"note: {told if again else message}", file=sys.stderr)
                shown.update((str(message), hint))
            else:
                other(message, category, *where, **more)

        warnings.showwarning = show
        warnings.simplefilter("always", Note)
        yield


def _split(words: list[str], parser: argparse.ArgumentParser) -> tuple[list[str], list[str]]:
    """Split arguments before the first option that the parser does not have."""
    own = options_by_name(parser)
    for place, word in enumerate(words):
        is_option = word.startswith("-") and word != "-"
        if is_option and word.partition("=")[0] not in own:
            return words[:place], words[place:]
    return words, []


def _start_lightly() -> None:
    """Change settings that slow down imports, before anything heavy is imported.

    Imports make many objects but little garbage; collecting it as often as Python does, and at exit,
    takes a third of the time of a short command. No command multiplies large matrices, so threads for that
    would be started in vain.
    """
    gc.set_threshold(200_000, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _open_standard_streams() -> None:
    """Make the standard streams UTF-8 in any locale, as files are."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="utf-8")
    elif sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


class Once(Store):
    """Stores the value of an option, which may be given only once: the last of several would win silently."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if option_string is not None:
            if getattr(self, "given", False):
                raise argparse.ArgumentError(self, "given twice")
            self.given = True
        super().__call__(parser, namespace, values, option_string)


class _Parser(argparse.ArgumentParser):
    """A parser that prints one line about a wrong option, or one that is given twice."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("action", None, Once)
        self.register("action", "store", Once)

    def error(self, message: str) -> NoReturn:
        if found := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
            close = get_close_matches(found[1], re.findall(r"[\w-]+", found[2]), 1)
            message = (
                message.replace("(choose", f"(did you mean {close[0]}? Choose")
                if close
                else message
            )
        self.exit(2, f"error: {one_line(message)} ({self.prog} --help lists the options)\n")


_EXAMPLES = "examples:"


class _Help(argparse.ArgumentDefaultsHelpFormatter):
    """Help with the defaults of the options that have one, and an example on each line."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Keep the lines of lists in the epilog."""
        listed = text.startswith((_EXAMPLES, "recipes:"))
        return text if listed else super()._fill_text(text, width, indent)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        has_default = action.default not in (None, False, [])
        return super()._get_help_string(action) if has_default else action.help
