"""Which options of Snakemake a run takes. `options.toml` sorts all of them; by this table they are checked,
wherever they are set: on the command line, in a profile, in the environment."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tomllib
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, suppress
from functools import cache
from importlib.resources import files
from typing import Any

from seggrid.base.errors import InputError, raise_mistakes
from seggrid.base.extras import SNAKEFILE
from seggrid.base.parsers import Store, groups_of, options_by_name

last: Namespace | None = None
"""The options that a command of this process has read, before it called Snakemake."""


@cache
def option_table() -> dict[str, Any]:
    """The table, as it is in its file."""
    return tomllib.loads(files(__package__).joinpath("options.toml").read_text("utf-8"))


def verdict_on_option(name: str, group: str = "") -> str:
    """What the table says of an option, by its name and, for one of a plug-in, the title of its group in
    `snakemake --help`: `taken`, `harmless`, `refused`; empty if it does not have it.

    >>> verdict_on_option("cores"), verdict_on_option("touch")
    ('taken', 'refused')
    >>> verdict_on_option("slurm-qos", "slurm executor plugin settings")
    'taken'
    """
    rows = option_table()
    plugin = re.fullmatch(".+ ([a-z]+) plugin settings", group)
    for sort in ("taken", "harmless"):
        if name in rows[sort].split() or (plugin and plugin[1] in rows["plugins"][sort].split()):
            return sort
    return "refused" if name in rows["refused"] else ""


def read_options(words: Sequence[str]) -> Namespace:
    """Read options and targets for `snakemake` and check them by the table.

    Raises:
        InputError: Snakemake does not have an option, one is given twice, or the table refuses it.
    """
    global last
    # Imported here: it takes seconds, and is not installed without the extra.
    from snakemake.cli import parse_args

    said = io.StringIO()
    given: Namespace
    try:
        with redirect_stderr(said):
            parser, given = parse_args(["--snakefile", str(SNAKEFILE), *words])
    except SystemExit as end:
        if not end.code:
            raise
        message = said.getvalue().strip().rpartition("error: ")[2]
        raise InputError(message, hint=_hint(message)) from None
    except Exception as error:
        raise InputError(f"options of snakemake: {error}") from None
    raise_mistakes([*_twice(parser, words), *_refused(parser, given, called_by_us=True)])
    last = given
    return given


def asked_options() -> Namespace:
    """The options of this process: those that a command has read, or else those of Snakemake's own command,
    which are checked here. None in a process that calls Snakemake in another way.

    Raises:
        InputError: the table refuses an option.
    """
    if last is not None:
        return last
    from snakemake.cli import parse_args

    given: Namespace
    try:
        with redirect_stderr(io.StringIO()):
            parser, given = parse_args(sys.argv[1:])
    except (SystemExit, Exception):
        return Namespace()
    raise_mistakes(_refused(parser, given, called_by_us=False))
    return given


def cleans(given: Namespace) -> bool:
    """Whether options ask to clean up, for which results may be in any state."""
    return any(
        getattr(given, name.replace("-", "_"), None) for name in option_table()["cleaning"].split()
    )


def unknown_rules(
    given: Namespace, rules: Iterable[str], elsewhere: Iterable[str] = ()
) -> Iterator[InputError]:
    """Mistakes in the names of rules. Snakemake takes them for files, which are named by a path here, and
    takes no notice of one that it is to omit, or of which it is to run a part: it runs everything. Nor does
    it of one that is to have other threads, resources or another group; these stand in profiles, which serve
    many configs, so they may also be rules that this config has not asked for, those from `elsewhere`."""
    here = {*rules}
    named = dict.fromkeys(("until", "omit_from", "forcerun", "prioritize"), here)
    named |= dict.fromkeys(("set_threads", "set_resources", "groups"), here | {*elsewhere})
    asked = {option: getattr(given, option, None) or () for option in named}
    if batch := getattr(given, "batch", None):
        named["batch"], asked["batch"] = here, (batch.rulename,)
    for option, known in named.items():
        if unknown := [name for name in asked[option] if "/" not in name and name not in known]:
            message = f"--{option.replace('_', '-')}: no rule {' or '.join(unknown)}"
            yield InputError(message, hint=f"rules: {', '.join(sorted(known))}")


def _twice(parser: Any, words: Sequence[str]) -> Iterator[InputError]:
    """Options that are given twice, of which Snakemake would take the last one."""
    options = words[: words.index("--")] if "--" in words else words
    known = options_by_name(parser)
    named = (word.partition("=")[0] if word[:2] == "--" else word[:2] for word in options)
    counts = Counter(known[name] for name in named if name in known)
    for action, count in counts.items():
        if count > 1 and type(action) is Store:
            yield InputError(f"{action.option_strings[0]} is given twice", hint="give it once")


def _refused(parser: Any, given: Namespace, *, called_by_us: bool) -> Iterator[InputError]:
    """What the table does not allow, of the options with other values than they have without any profile."""
    from snakemake.cli import get_argument_parser

    places = _places(parser)
    ours = ["--snakefile", str(SNAKEFILE)] if called_by_us else []
    usual = vars(get_argument_parser().parse_args(ours))
    changed = {}
    for group, actions in groups_of(parser):
        for action in actions:
            name, values = (
                action.dest.replace("_", "-"),
                _spelled(getattr(given, action.dest, None)),
            )
            if values == _spelled(usual.get(action.dest)):
                continue
            changed[name] = values
            if why := _reason(name, group.title or "", values, given, called_by_us):
                why, _, hint = why.partition(" | ")
                yield InputError(f"--{name} {why}", file=places.get(name), hint=hint)
    runs = not (given.dryrun or cleans(given))
    needed = option_table()["programs"] | (option_table()["programs-of-jobs"] if runs else {})
    for program, option in ((key, one) for key in needed for one in needed[key].split()):
        name, _, value = option.partition("=")
        asks = name in changed and (not value or value in changed[name])
        if asks and not shutil.which(program):
            message = f"--{name} {value}".rstrip() + f" needs {program}, which is not on the PATH"
            hint = f"run it where {program} is installed, or leave the option out"
            yield InputError(message, file=places.get(name), hint=hint)
        elif asks and program == "sbatch":
            yield from _waits_without_end(given, places)


def _waits_without_end(given: Namespace, places: Mapping[str, str]) -> Iterator[InputError]:
    """Why jobs would never begin, or never be seen to end, on the Slurm of this machine."""
    cores = [
        int(word)
        for word in _said_by("sinfo", "--noheader", "--Node", "--format=%c").split()
        if word.isdecimal()
    ]
    if cores and isinstance(given.cores, int) and given.cores > max(cores):
        message = f"jobs of up to {given.cores} cores, and no node of this cluster has more than {max(cores)}"
        hint = f"add --cores {max(cores)}; Slurm would let such a job wait without end"
        yield InputError(message, file=places.get("cores"), hint=hint)
    asked = getattr(given, "slurm_status_command", None)
    if asked != "squeue" and "accounting storage is disabled" in _said_by("sacct"):
        message = "this Slurm keeps no accounts, so sacct would never say that a job has ended"
        yield InputError(message, hint="add --slurm-status-command squeue")


def _said_by(*command: str) -> str:
    """What a program prints; nothing if it cannot be called."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        return done.stdout + done.stderr
    return ""


def _reason(name: str, group: str, values: set[str], given: Namespace, called_by_us: bool) -> str:
    """Why an option is refused, and what to do instead, after a bar; empty if it is not."""
    rows = option_table()
    if called_by_us and name in rows["own"]:
        return str(rows["own"][name])
    for rule, holds in (
        ("only", lambda words: values == words),
        ("never", values.isdisjoint),
        ("beside", lambda words: any(getattr(given, word.replace("-", "_")) for word in words)),
    ):
        words, why = rows[rule].get(name, ("", ""))
        if words and not holds({*words.split()}):
            return str(why) if rule == "beside" else f"{' '.join(sorted(values)) or 'none'} {why}"
    if not (sort := verdict_on_option(name, group)):
        return "is not known to this version of seggrid | leave it out"
    return str(rows["refused"][name]) if sort == "refused" else ""


def _spelled(value: Any) -> set[str]:
    """The values of an option as they are written."""
    several = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    return {str(getattr(one, "name", one)).lower().replace("_", "-") for one in several}


def _places(parser: Any) -> dict[str, str]:
    """The file of each option that a profile sets."""
    found: dict[str, str] = {}
    for source, settings in parser.get_source_to_settings_dict().items():
        kind, _, path = source.partition("|")
        if kind == "config_file":
            actions = (action for action, _ in settings.values() if action is not None)
            found |= {action.dest.replace("_", "-"): path for action in actions}
    return found


def _hint(message: str) -> str:
    """How to correct an option that Snakemake refused."""
    executor = re.search("^argument --executor.*invalid choice: '([^']*)'", message)
    if executor:
        return f"pip install snakemake-executor-plugin-{executor[1]}"
    return "snakemake --help lists the options"
