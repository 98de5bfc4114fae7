"""Tables of published boundary scores: reading, refusals, comparison with ours."""

import pytest

from seggrid.base.errors import InputError
from seggrid.studies.morphology.published import read_published, with_published

HEADER = "knockout,evaluation,dropout,boundaries,unit,vocabulary,precision,f1\n"
ROW = "blame-0.50,full,0,morphemes,types,36814,0.532,\n"


@pytest.fixture
def read(tmp_path):
    def read(text):
        (tmp_path / "p.csv").write_text(text)
        return read_published(tmp_path / "p.csv")

    return read


def test_stands_beside(read):
    published = read(HEADER + ROW + "dropout-0.5,full,0.05,morphemes,types,,0.1,0.2\n")
    row = {"evaluation": "full", "dropout": 0.0, "boundaries": "morphemes", "unit": "types"}
    ours = [row | {"knockout": name} for name in ("none", "blame-0.5")]
    ours += [row | {"knockout": "dropout-0.5", "dropout": 0.0468123456789012345}]
    found = with_published(ours, published)
    assert [r["published_precision"] for r in found] == [None, 0.532, None]
    assert found[1]["published_vocabulary"] == 36814
    assert found[1]["published_f1"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER.replace("unit", "word"), "p.csv:1: unknown column 'word'"),
        (HEADER + ROW + ROW.replace("0.50", "0.5"), "p.csv:3: the same row again"),
        (HEADER + ROW.replace("0.532", "53.2"), "p.csv:2: precision 53.2 is not between 0 and 1"),
        (HEADER + ROW.replace("36814", "0.9"), "p.csv:2: vocabulary '0.9'"),
        (HEADER + ROW.replace("types", "words"), "p.csv:2: unit 'words'"),
        (HEADER + ROW.replace("blame", "blaim"), "p.csv:2: 'blaim-0.50' is not a knockout"),
        (HEADER + ROW.replace(",0,", ",x,"), "p.csv:2: 'x' is not a number"),
    ],
)
def test_refuses(read, text, message):
    with pytest.raises(InputError) as caught:
        read(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("table", "rows"), [("eng", 20), ("deu", 20), ("nld", 24), ("nld_rates", 44)]
)
def test_the_papers_tables_can_be_read(root, table, rows):
    found = read_published(root / f"resources/published/bpe_knockout_{table}.csv")
    assert len(found) == rows
    for key, row in found.items():
        # A mean over runs with dropout has a mean of F1 that does not follow from the others.
        if key[2] == "0":
            precision, recall = row["precision"], row["recall"]
            f1 = 2 * precision * recall / (precision + recall)
            assert row["f1"] == pytest.approx(f1, abs=0.0016), key
