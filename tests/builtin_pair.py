"""The built-in pair in tests: its words, and its files cut short."""

from functools import cache
from pathlib import Path

from seggrid.text.text_files import read_text

FOLDER = Path(__file__).parent.parent / "resources/builtin"


@cache
def words_of(name: str) -> list[list[str]]:
    """The sentences of one side, `eng` or `deu`; all callers share them."""
    return read_text(FOLDER / f"{name}.txt", "lines")[0]


def write_pair(folder: Path, count: int, ending: str = "") -> None:
    """Write the first sentences of both sides and their gold, as eng, deu and gold with this ending."""
    for name in ("eng", "deu", "gold"):
        lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()[:count]
        (folder / f"{name}{ending}").write_text("\n".join(lines) + "\n", "utf-8")
