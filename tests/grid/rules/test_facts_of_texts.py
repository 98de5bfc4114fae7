"""Facts about texts, which are cached by the content of their files."""

import pytest

from seggrid.grid.grid import Grid
from seggrid.grid.rules.files import Files
from seggrid.grid.run.output_digests import digest_of


def tmx(*french):
    """A TMX of three languages, with the given French sentences."""
    units = "".join(
        "<tu>"
        + "".join(
            f"<tuv xml:lang='{code}'><seg>{text}</seg></tuv>"
            for code, text in (("en", "yes"), ("de", "ja"), ("fr", sentence))
        )
        + "</tu>"
        for sentence in french
    )
    return f"<tmx><body>{units}</body></tmx>"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def read():
        pairs = {
            f"en-{code}": {
                "text": "all.tmx",
                "source": {"code": "en"},
                "target": {"code": code},
                "empty_lines": "skip",
            }
            for code in ("de", "fr")
        }
        return Files(Grid({"pairs": pairs, "experiments": {"x": {"merges": 5}}}).config)

    return read


def test_pairs_in_one_file_have_facts_of_their_own(files, tmp_path):
    (tmp_path / "all.tmx").write_text(tmx("oui", "", "oui"))
    before = files()
    assert (before.lines("en-de"), before.lines("en-fr")) == (3, 2)
    german, french = (before.gold_lines_digest(f"en-{code}") for code in ("de", "fr"))
    assert german != french
    # Otherwise the numbers of its lines would not be written again.
    (tmp_path / "all.tmx").write_text(tmx("oui", "oui", "oui"))
    assert files().gold_lines_digest("en-fr") == german


def test_a_run_records_the_inputs_that_it_was_planned_with(files, tmp_path):
    text = tmp_path / "all.tmx"
    text.write_text(tmx("oui"))
    planned = digest_of(text)
    found = files()
    content = found.content("all.tmx")
    assert found.edited() == []
    text.write_text(tmx("non"))
    assert found.sha256("all.tmx") == found.sha256(text) == planned
    assert found.content("all.tmx") == content
    assert found.edited() == ["all.tmx"]
    assert files().content("all.tmx") != content
    text.unlink()
    assert found.edited() == ["all.tmx"]


def test_word_types_of_a_pair_are_those_of_the_lines_that_are_aligned(files, tmp_path):
    (tmp_path / "all.tmx").write_text(tmx("oui", "", "Oui"))
    found = files()
    assert (found.types("en-de"), found.types("en-fr")) == (2, 2)
    (tmp_path / "all.tmx").write_text(tmx("oui", "", "mais oui"))
    assert (files().types("en-de"), files().types("en-fr")) == (2, 3)
