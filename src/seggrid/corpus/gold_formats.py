"""Guess the format of a gold alignment, for the message if the config names another one."""

import re
from collections.abc import Sequence

_LINK = r"[0-9]+[-p?][0-9]+"
_NUMBER = r"[0-9]+"
_LINES = {
    "naacl": rf"\S+\s+{_NUMBER}\s+{_NUMBER}(\s+[SP])?(\s+[0-9.]+)?\s*",
    "pharaoh": rf"{_LINK}( +{_LINK})* *",
    "pharaoh-ids": rf"[^\t]+\t *({_LINK}( +{_LINK})* *)?",
    "links of the form i:j": r"[0-9]+:[0-9]+( +[0-9]+:[0-9]+)* *",
    "links of the form i/j": r"[0-9]+/[0-9]+( +[0-9]+/[0-9]+)* *",
    "links of the form i,j": r"\(?[0-9]+, ?[0-9]+\)?( +\(?[0-9]+, ?[0-9]+\)?)* *",
    "links with weights (i-j:w)": r"[0-9]+-[0-9]+[:/][0-9.]+( +[0-9]+-[0-9]+[:/][0-9.]+)* *",
    "sentences with tags (`<s snum=1> … </s>`)": r"\s*<s(eg)?\b[^>]*>.*</s(eg)?>\s*",
    "a parallel text (`… ||| …`)": r".* \|\|\| .*",
}
_STARTS = {
    "alignments of GIZA++ (`# Sentence pair (1) …`)": "# Sentence pair",
    "JSON": ("{", "["),
    "XML": "<",
}
_READ = 20
"""The number of lines that are used."""


def guess_format(lines: Sequence[str]) -> str | None:
    """The format that the first lines of a gold alignment seem to have, which may be an unsupported one.

    >>> guess_format(["1 1 1 S", "1 2 3 P"]), guess_format(["0:0 1:1"]), guess_format(["the house"])
    ('naacl', 'links of the form i:j', None)
    """
    seen = [line for line in lines[:_READ] if line.strip()]
    if not seen:
        return None
    for name, pattern in _LINES.items():
        if all(len(line) < 100_000 and re.fullmatch(pattern, line) for line in seen):
            return name
    first = seen[0].lstrip()
    return next((name for name, start in _STARTS.items() if first.startswith(start)), None)
