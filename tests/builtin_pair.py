"""The built-in pair in tests: its words, and its files cut short."""

from functools import cache
from pathlib import Path
from typing import Any

from seggrid.text.text_files import read_text

FOLDER = Path(__file__).parent.parent / "resources/builtin"


@cache
def words_of(name: str) -> list[list[str]]:
    """The sentences of one side, `eng` or `deu`; all callers share them."""
    return read_text(FOLDER / f"{name}.txt", "lines")[0]


def lines_of(name: str) -> list[str]:
    """The lines of a file: `eng`, `deu` or `gold`."""
    return (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()


def write_pair(folder: Path, count: int, ending: str = "") -> None:
    """Write the first sentences of both sides and their gold, as eng, deu and gold with this ending."""
    for name in ("eng", "deu", "gold"):
        text = "\n".join(lines_of(name)[:count])
        (folder / f"{name}{ending}").write_text(text + "\n", "utf-8")


def in_config(folder: Path = Path(), ending: str = "") -> dict[str, Any]:
    """The pair of a config for the files of `write_pair`, in the folder of the run or another one."""
    eng, deu, gold = (str(folder / f"{name}{ending}") for name in ("eng", "deu", "gold"))
    return {"source": {"text": eng}, "target": {"text": deu}, "gold": {"file": gold}}


SHIPPED = in_config(FOLDER, ".txt")
"""The pair of a config for all of the built-in pair."""
