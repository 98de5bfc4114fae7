"""One model of both sides' texts, and subword-nmt's vocabulary threshold, against subword-nmt."""

import io
from argparse import Namespace
from collections import Counter

import pytest
from subword_nmt import apply_bpe
from subword_nmt.learn_joint_bpe_and_vocab import learn_joint_bpe_and_vocab

import builtin_pair
from seggrid.grid.align_cell import Request, align_cell
from seggrid.grid.cell import cells_of
from seggrid.grid.config import check_config
from seggrid.morphology.knockout import prune_model
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import learn

MERGES = 700


@pytest.fixture(scope="module")
def texts():
    return [builtin_pair.words_of(code)[:400] for code in ("eng", "deu")]


@pytest.fixture(scope="module")
def theirs(texts, tmp_path_factory):
    """The codes and the vocabularies that subword-nmt learns on both texts."""
    folder = tmp_path_factory.mktemp("joint")
    names = ("source", "target")
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text("".join(" ".join(row) + "\n" for row in text), "utf-8")
    with (folder / "codes").open("w") as codes:
        files = [(folder / name).open() for name in names]
        vocabularies = [(folder / f"{name}.vocabulary").open("w") for name in names]
        learn_joint_bpe_and_vocab(
            Namespace(
                input=files,
                output=codes,
                symbols=MERGES,
                separator="@@",
                vocab=vocabularies,
                min_frequency=2,
                total_symbols=False,
                num_workers=1,
                verbose=False,
            )
        )
        for file in (*files, *vocabularies):
            file.close()
    return folder


def marked(row):
    """Tokens as subword-nmt writes them, from those with marked ends."""
    return [t.removesuffix("</w>") if t.endswith("</w>") else f"{t}@@" for t in row]


@pytest.mark.parametrize("threshold", [1, 3, 10, 50, 200])
@pytest.mark.parametrize("name", ["source", "target"])
def test_a_vocabulary_threshold_is_trimming_by_the_sides_own_text(texts, theirs, name, threshold):
    """Token by token: types that are rare on this side are split into what is not, down to characters."""
    text = texts[("source", "target").index(name)]
    model = learn([*texts[0], *texts[1]], MERGES, marking="end")
    segmented = apply(model, text)
    counts = Counter(segmented.types[i] for i in segmented.ids)
    pruned = prune_model(model, f"trim-{threshold}", counts=counts)
    with (theirs / f"{name}.vocabulary").open(encoding="utf-8") as file:
        vocabulary = apply_bpe.read_vocabulary(file, threshold)
    codes = io.StringIO((theirs / "codes").read_text("utf-8"))
    # An empty vocabulary would stand for none to it.
    assert vocabulary
    library = apply_bpe.BPE(codes, vocab=vocabulary)
    ours = apply(pruned, text)
    split = 0
    for s, row in enumerate(text):
        assert marked(ours.sentence(s)) == library.segment(" ".join(row)).split(" ")
        split += len(ours.sentence(s)) > len(segmented.sentence(s))
    assert bool(split) == (threshold > 1)


def test_a_cell_learns_one_model_on_both_texts_in_their_order(texts):
    """What the workflow's jobs do with files, a cell does in memory."""
    experiment = check_config(
        {
            "pairs": {"p": {"source": {"text": "a"}, "target": {"text": "b"}}},
            "experiments": {"x": {"joint": True, "merges": 100, "case": "keep", "aggregate": 0.5}},
        }
    ).config.experiments["x"]
    (cell,) = cells_of(experiment, ["p"])
    source, target = (text[:60] for text in texts)
    found = align_cell(cell, source, target, Request(keep=True))
    one, other = found.models[0].segmenters
    assert one == other == learn([*source, *target], 100)
    assert one != learn([*target, *source][:60], 100)
