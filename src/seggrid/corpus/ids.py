"""The ids of a pair's sentences.

The ids of a pair are those of its source text, or of its target text if only that has ids (`tsv` and `wpt`
texts have ids; if both texts do, the ids must be the same). Gold names sentences by their ids or, if the
texts have none, by line numbers in ascending order, counted from its `base`: numbers in another order are
probably the ids of a text that was given without them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from seggrid.corpus.text_formats import WITH_IDS, Format
from seggrid.data.sides import SideName
from seggrid.errors import InputError

# A number, perhaps with leading zeros, of at most as many digits as Python converts.
_NUMBER = re.compile(r"[0-9]{1,100}")


def side_with_ids(source_format: Format, target_format: Format) -> SideName | None:
    """The side whose ids are those of the pair; None if neither side has any.

    >>> side_with_ids("lines", "tsv")
    'target'
    """
    if source_format in WITH_IDS:
        return "source"
    return "target" if target_format in WITH_IDS else None


class SentenceIds:
    """Find the sentence that a gold alignment names.

    Args:
        ids: the pair's ids, in the order of its sentences, each once; None if it has none.
        base: the number of the first line, if there are no ids.
        padded: whether numbers may have more or fewer leading zeros than in the text, as in the shared
            tasks of NAACL 2003. An id with the same spelling takes precedence over one with only the same
            number.
    """

    def __init__(self, ids: Sequence[str] | None, base: int = 0, padded: bool = False) -> None:
        self._base = base
        self._last = 0
        self._index = None if ids is None else {name: k for k, name in enumerate(ids)}
        self._numbers: dict[str, list[str]] = defaultdict(list)
        if padded:
            for name in ids or []:
                self._numbers[_unpadded(name)].append(name)

    def find(self, name: str) -> int:
        """The zero-based line of a sentence. Line numbers must be looked up in ascending order.

        >>> SentenceIds(["7", "08"], padded=True).find("0007")
        0

        Raises:
            InputError: there is no such sentence, or several, or a line number below the one before.
        """
        if self._index is None:
            if not _NUMBER.fullmatch(name) or int(name) < self._base:
                raise InputError(
                    f"{name!r} is not a line number of the text, whose lines count from {self._base}",
                    hint="give line numbers, or a text with ids (tsv)",
                )
            if int(name) < self._last:
                raise InputError(
                    f"the sentence {name} after {self._last}, so these may be ids, not line numbers",
                    hint="give the text with these ids (tsv), or sort the gold if they are line numbers",
                )
            self._last = int(name)
            return self._last - self._base
        if name in self._index:
            return self._index[name]
        same = self._numbers.get(_unpadded(name), [])
        if len(same) > 1:
            raise InputError(
                f"the sentence {name!r} could be {' or '.join(map(repr, same[:3]))} of the text",
                hint="write the id as the text has it",
            )
        if not same:
            raise InputError(
                f"the id {name!r} is not in the text",
                hint="remove its links, or give the text that has this sentence",
            )
        return self._index[same[0]]


def _unpadded(name: str) -> str:
    return name.lstrip("0") or "0"
