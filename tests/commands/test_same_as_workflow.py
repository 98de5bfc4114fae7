"""A command gives the links that the workflow's scripts give, to the last one."""

import pytest

import builtin_pair
from seggrid.commands import main
from seggrid.commands.scoring import read_links
from seggrid.score.counts import read_score_file
from seggrid.segment.side import parse_spec
from seggrid.text.text_files import Text

SENTENCES = 150
SPEC = (
    "bpe+case=first+spaces=yes+scoring=frequency+merges=80+application=rank"
    "+dropout=0.2+dropout_kind=occurrence"
)


@pytest.mark.parametrize(
    ("aligner", "aggregate"),
    [("fast_align", "0.5"), ("gibbs", "0.5"), ("gibbs", "posterior-0.4")],
)
def test_dropout_two_samples_and_a_threshold(tmp_path, script, aligner, aggregate):
    def run(name, *arguments):
        script(name, tmp_path, *arguments)

    side = parse_spec(SPEC)
    builtin_pair.write_pair(tmp_path, SENTENCES)
    run("gold", "--gold=gold", "--output=gold.npz")
    for language, name in (("eng", "source"), ("deu", "target")):
        run(
            "corpus",
            f"--text={Text.of(language).to_text()}",
            f"--spec={side.spec('corpus')}",
            f"--output={name}.txt",
        )
        learned = side.spec("learn", learned=200)
        corpus = f"--corpus={name}.txt"
        run("learn", corpus, f"--spec={learned}", "--size=200", f"--output={name}.model")
        run(
            "segment", corpus, f"--model={name}.model", "--pair=p", f"--side={name}",
            f"--spec={SPEC}", "--part=0-1", "--seed=7", f"--output={name}.npz",
        )  # fmt: skip
    run(
        "align", "--source=source.npz", "--target=target.npz", "--gold-lines=gold.npz",
        f"--aligner={aligner}", "--pair=p", f"--source-spec={SPEC}", f"--target-spec={SPEC}",
        "--replicate=0", "--part=0-1", "--seed=7", "--output=links.npz",
    )  # fmt: skip
    run(
        "score", "--gold=gold.npz", "--alignments=links.npz", "--samples=2",
        "--symmetrization=grow-diag", f"--aggregates={aggregate}",
        "--output=score.npz",
    )  # fmt: skip
    command = [
        "align", str(tmp_path / "eng"), str(tmp_path / "deu"), "--segmenter=bpe", "--merges=80",
        "--case=first", "--dropout=0.2", "--samples=2", f"--aggregate={aggregate}", "--name=p",
        "--seed=7", f"--aligner={aligner}", "--symmetrization=grow-diag", "--output", str(tmp_path / "links"),
    ]  # fmt: skip
    assert main(command) == 0
    (expected,) = read_score_file(tmp_path / "score.npz").links
    assert read_links(tmp_path / "links").lines() == expected.lines()
