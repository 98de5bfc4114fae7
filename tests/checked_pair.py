"""Check a pair that is given by its files, as a config gives it."""

from seggrid.text.link_notation import Notation
from seggrid.text.pair import check_pair
from seggrid.text.text_files import Text


def check_files(source, target, gold=None, notation=None, formats=("lines", "lines"), **options):
    texts = (
        text if isinstance(text, Text) else Text((text,), format)
        for text, format in zip((source, target), formats, strict=True)
    )
    files = [] if gold is None else [gold]
    return check_pair(*texts, files, notation or Notation("pharaoh"), **options)
