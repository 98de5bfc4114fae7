"""Parts of a text that the stage `corpus` has written."""

import pytest

from seggrid.studies.export.whole_text import count_sentences, read_lines_of


@pytest.fixture
def text(tmp_path):
    file = tmp_path / "text"
    # U+0085 and U+2028 end no line, and a no-break space separates no words.
    file.write_text("a b\nc\u0085d e\u2028\nf\u00a0g\nh\n", "utf-8", newline="\n")
    return file


def test_some_lines_of_a_text(text):
    assert count_sentences(text) == 4
    assert read_lines_of(text, [0, 2]) == [["a", "b"], ["f\u00a0g"]]
    assert read_lines_of(text, range(1, 4)) == [["c\u0085d", "e\u2028"], ["f\u00a0g"], ["h"]]
    assert read_lines_of(text, []) == []
