"""Which lines of a text are sentence pairs."""

from seggrid.corpus.pair import kept_lines
from seggrid.corpus.text import Text


def test_only_lines_with_words_on_both_sides_are_kept_where_empty_ones_are_skipped(tmp_path):
    texts = []
    for name, lines in (("a", "x\n\ny\nz\n"), ("b", "u\nv\n \nw\n")):
        (tmp_path / name).write_text(lines)
        texts.append(Text((tmp_path / name,), empty_lines="skip"))
    assert kept_lines(*texts).tolist() == [True, False, False, True]
    assert kept_lines(*texts[::-1]).tolist() == [True, False, False, True]
    assert kept_lines(texts[0], None).tolist() == [True] * 4
