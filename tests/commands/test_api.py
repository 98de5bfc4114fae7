"""`import seggrid`: its functions are those of the commands, on lists of sentences and on paths."""

import subprocess
import sys

import numpy as np
import pytest

import seggrid
from seggrid.align.symmetrize import combine_directions
from seggrid.base.errors import InputError, Note
from seggrid.commands import main

ENGLISH = ["the house is small", "a small house", "the red house", "the red car is red"]
GERMAN = ["das haus ist klein", "ein kleines haus", "das rote haus", "das rote auto ist rot"]
RECIPE = {"merges": 5, "options": {"gibbs": {"samplers": 1}}}


@pytest.fixture
def files(tmp_path, monkeypatch):
    for name, lines in (("eng", ENGLISH), ("deu", GERMAN)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(capsys, *arguments):
    assert main(list(map(str, arguments))) == 0
    return capsys.readouterr().out.splitlines()


def test_importing_it_imports_nothing_heavy_and_using_it_no_snakemake():
    code = """
import sys
absent = "snakemake pandas matplotlib jinja2 tokenizers sentencepiece eflomal thot torch"
sys.modules.update(dict.fromkeys(absent.split()))
import seggrid
assert not {"numpy", "numba", "pydantic"} & set(sys.modules)
assert {"align", "Aligner", "score"} <= set(dir(seggrid))
assert seggrid.Aligner and seggrid.recommend and seggrid.Segmenter
import seggrid.align.symmetrize, seggrid.score.votes
from seggrid.align import ALIGNERS
assert callable(seggrid.align) and callable(seggrid.score), "a package in a function's place"
assert "align(source, target" in seggrid.__doc__
assert seggrid.align(["a b", "b"], ["x y", "y"], "words-fast_align").lines()[1] == "0-0"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_lists_words_paths_and_the_command_have_the_same_links(files, capsys):
    links = seggrid.align(ENGLISH, GERMAN, **RECIPE)
    words = [line.split() for line in ENGLISH], [line.split() for line in GERMAN]
    assert seggrid.align(*words, **RECIPE) == links
    assert seggrid.align(files / "eng", "deu", **RECIPE) == links
    ask = ["align", "eng", "deu", "--merges", 5, "--set", "gibbs.samplers=1"]
    more = ["--probabilities", "p", "--forward", "f", "--reverse", "r", "--scores", "s"]
    assert command(capsys, *ask, *more) == links.lines()
    assert (files / "f").read_text().splitlines() == links.forward.lines()
    assert (files / "r").read_text().splitlines() == links.reverse.lines()
    kept = [[link for link, p in row.items() if p > 0.35] for row in links.probabilities]
    assert kept == [list(row) for row in links]
    first = dict(part.split(":") for part in (files / "p").read_text().splitlines()[0].split())
    assert first == {f"{i}-{j}": f"{p:.4g}" for (i, j), p in links.probabilities[0].items()}
    scored = seggrid.align(ENGLISH, GERMAN, scores=True, **RECIPE)
    assert scored == links
    rows = np.loadtxt(files / "s")
    assert np.allclose(rows, np.hstack([scored.scores, scored.mean_scores]), atol=1e-4)


def test_directions_are_what_is_symmetrized():
    found = seggrid.align(ENGLISH, GERMAN, "words-fast_align", symmetrization="grow-diag")
    both = combine_directions(found.forward.links, found.reverse.links, "grow-diag")
    assert both.lines() == found.lines()
    # Aligners hold places in fewer bits; callers may multiply them.
    assert {way.links.pairs.dtype.name for way in (found, found.forward)} == {"int32"}
    assert found.probabilities is found.scores is None
    assert all(len({j for _, j in row}) == len(row) for row in found.forward)
    assert all(len({i for i, _ in row}) == len(row) for row in found.reverse)


@pytest.mark.parametrize("recipe", ["words", "words-fast_align"])
def test_what_was_learned_is_kept_and_applied(files, capsys, recipe):
    aligner = seggrid.Aligner(recipe)
    with pytest.raises(InputError, match="nothing was learned"):
        aligner.align(ENGLISH, GERMAN)
    fitted = aligner.fit_align(ENGLISH, GERMAN, scores=True)
    aligner.save("models")
    assert fitted == seggrid.align(ENGLISH, GERMAN, recipe)
    again = seggrid.Aligner.load("models")
    one = again.align(["the red car", ""], ["das rote auto", "x"], scores=True)
    assert one[0] == [(0, 0), (1, 1), (2, 2)]
    assert one[1] == []
    assert np.isnan(one.scores[1]).all()
    assert (one.scores[0] < 0).all()
    wrong = again.align(["the red car"], ["ein kleines haus"], scores=True)
    assert (one.scores[0] > wrong.scores[0]).all()
    assert again.align([""], ["x"]).lines() == [""]
    ask = ["align", "eng", "deu", "--models", "models", "--scores", "s"]
    more = ["--probabilities", "p"] if recipe == "words" else []
    assert command(capsys, *ask, *more) == again.align("eng", "deu").lines()
    # The scores are of the model, whatever text it is applied to.
    scores = again.align(ENGLISH, GERMAN, scores=True).scores
    assert np.allclose(np.loadtxt("s")[:, :2], scores, atol=1e-4)
    assert np.allclose(fitted.scores, scores) or recipe == "words-fast_align"


def test_a_sentence_of_links_is_a_list_and_a_table():
    links = seggrid.align(ENGLISH, GERMAN, "words-fast_align")
    assert repr(links) == "<4 sentence pairs, 15 links>"
    assert links[-1].source == ENGLISH[-1].split()
    assert links[1:3] == [links[1], links[2]]
    table = links[2]._repr_html_()
    assert table.count("■") == len(links[2])
    assert "<th>rote</th>" in table


def test_a_segmentation_is_learned_saved_and_measured(files, capsys):
    bpe = seggrid.Segmenter.learn(ENGLISH, merges=6, case="lower")
    bpe.save("eng.model")
    command(capsys, "learn", "eng", "--merges", 6, "--case", "lower", "-o", "other.model")
    assert (files / "eng.model").read_bytes() == (files / "other.model").read_bytes()
    loaded = seggrid.Segmenter.load("eng.model", case="lower", dropout=0.5)
    tokens = command(capsys, "segment", "eng", "-m", "eng.model", "--case=lower", "--dropout=0.5")
    assert [" ".join(row) for row in loaded.segment("eng")] == tokens
    assert loaded.segment(["", "The house"], seed=1)[0] == []
    # A model that has cut other text, with other characters, cuts as before.
    once = bpe.segment(ENGLISH)
    assert bpe.segment(["öäü the ßx"]) == seggrid.Segmenter.load("eng.model").segment(
        ["öäü the ßx"]
    )
    assert bpe.segment(ENGLISH) == once
    assert loaded.segment(ENGLISH, seed=2) != loaded.segment(ENGLISH)
    rows = [line.split("\t") for line in command(capsys, "measure", "eng", "-m", "eng.model")]
    measured = seggrid.measure(ENGLISH, seggrid.Segmenter.load("eng.model"))
    shown = {name: "" if value != value else f"{value:.6g}" for name, value in measured.items()}
    assert shown == dict(rows)
    with pytest.warns(Note, match="no upper-case letters"):
        seggrid.Segmenter.load("eng.model").segment(["The house"])
    with pytest.warns(Note, match="vocabulary has no effect on a model that was learned"):
        assert seggrid.Segmenter.load("eng.model", vocabulary=9).segment(ENGLISH) == once
    with pytest.warns(Note, match="joint has no effect on a model of one text"):
        seggrid.Segmenter.learn(ENGLISH, merges=6, joint=True)


def test_counts_have_all_their_digits(files, capsys):
    (files / "long").write_text(f"{'a' * 9999}\n" * 124)
    rows = command(capsys, "measure", "long", "--segmenter", "characters")
    assert rows[:2] == ["tokens\t1239876", "fertility\t9999"]


def test_cuts_are_compared_with_those_of_morphemes(files, capsys):
    # By hand: characters cut everywhere, words nowhere.
    (files / "morphemes").write_text("houses\thouse s\nreds\tred s\nsmaller\tsmall er\na\ta\n")
    characters = seggrid.Segmenter.load(segmenter="characters")
    found = seggrid.measure(ENGLISH, characters, morphemes="morphemes")
    assert found["boundary_words"] == 4
    assert found["boundary_recall"] == 1
    assert found["boundary_precision"] == 3 / (5 + 3 + 6)
    words = seggrid.measure(
        ENGLISH, seggrid.Segmenter.load(segmenter="words"), morphemes="morphemes"
    )
    assert words["boundary_f1"] == 0
    rows = command(
        capsys, "measure", "eng", "--segmenter", "characters", "--morphemes", "morphemes"
    )
    assert f"boundary_f1\t{6 / 17:.6g}" in rows
    with pytest.raises(InputError, match="absent: no such file"):
        seggrid.measure(ENGLISH, characters, morphemes="absent")


def test_a_model_that_was_just_learned_is_measured():
    for name in ("byte_bpe", "sentencepiece_bpe"):
        learned = seggrid.Segmenter.learn(["ä ö ä ö"], name, merges=1)
        assert name in repr(learned)
        found = seggrid.measure(["ä ö"], learned)
        assert (found["incomplete_tokens"] > 0) == (name == "byte_bpe")


def test_two_tokenizers_are_compared(files, capsys):
    bpe = seggrid.Segmenter.learn(ENGLISH, merges=8)
    bpe.save("eng.model")
    characters = seggrid.Segmenter.load(segmenter="characters")
    same = seggrid.measure(ENGLISH, bpe, against=bpe)
    assert (same["words_alike"], same["boundary_jaccard"]) == (1, 1)
    found = seggrid.measure(ENGLISH, characters, against=bpe)
    # The characters are cut everywhere: what BPE cuts is a part of that.
    words = [word for line in ENGLISH for word in line.split()]
    cut = sum(len(tokens) for tokens in bpe.segment(words)) - len(words)
    assert found["boundary_jaccard"] == cut / sum(len(word) - 1 for word in words)
    asked = ("measure", "eng", "--segmenter", "characters", "--against", "bpe", "eng.model")
    assert f"boundary_jaccard\t{found['boundary_jaccard']:.6g}" in command(capsys, *asked)
    assert f"words_alike\t{found['words_alike']:.6g}" in command(capsys, *asked)


def test_alignability_of_two_texts(files, capsys, refused):
    """With one model for both, or with a tokenizer.json for the other; not of texts whose lines
    do not belong together."""
    words = seggrid.Segmenter.load(segmenter="words")
    seggrid.Segmenter.learn(GERMAN, merges=8).save("deu.model")
    found = seggrid.measure(ENGLISH, words, parallel=GERMAN)
    assert 0 < found["alignability"] <= 1
    assert 0 < found["alignability_parallel"] <= 1
    asked = ("measure", "eng", "--segmenter", "words", "--parallel", "deu")
    rows = dict(row.split("\t") for row in command(capsys, *asked))
    assert rows["alignability"] == f"{found['alignability']:.6g}"
    assert (
        main(["convert", "deu.model", "--to", "tokenizer", "--text", "deu", "-o", "deu.json"]) == 0
    )
    same = [command(capsys, *asked, "--parallel-model", f"deu.{end}") for end in ("json", "model")]
    assert same[0] == same[1] != command(capsys, *asked)
    (files / "shorter").write_text("das Haus\n", "utf-8")
    assert "of the other language" in refused(*asked[:-1], "shorter")
    assert "--empty-lines skip" in refused(*asked, "--empty-lines", "skip")
    assert "without --parallel" in refused(*asked[:-2], "--parallel-model", "deu.model")


def test_links_are_scored_as_the_command_does(files, capsys):
    links = seggrid.align(ENGLISH, GERMAN, "words-fast_align")
    gold = [[(0, 0), (1, 1)], [(0, 0)], [(2, 2)], [(0, 0)]]
    (files / "links").write_text("".join(f"{line}\n" for line in links.lines()))
    (files / "gold").write_text("0-0 1-1 2p2\n0-0\n2-2\n0-0\n")
    rows = [row.split("\t") for row in command(capsys, "score", "links", "gold")]
    for scores in (
        seggrid.score("links", "gold"),
        seggrid.score(links, gold, possible=[[(2, 2)], [], [], []]),
    ):
        assert [f"{getattr(scores, name):.4f}" for name, *_ in rows[1:]] == [r[1] for r in rows[1:]]
        assert scores.intervals.shape == (4, 2)
    with pytest.raises(InputError, match="gold of sentence 4, but links of 1"):
        seggrid.score(links.links.take([0]), gold)


def test_a_recommendation_is_a_recipe(monkeypatch):
    monkeypatch.setattr("seggrid.commands.recommendation.MERGES", (5,))
    monkeypatch.setattr("seggrid.commands.recommendation.RESAMPLES", 10)
    found = seggrid.recommend(ENGLISH, GERMAN, [[(0, 0)]])
    assert found.measure == "F1"
    assert len(str(found).splitlines()) == 1 + len(found.candidates)
    assert len(seggrid.align(ENGLISH, GERMAN, found.recipe)) == 4


@pytest.mark.filterwarnings("ignore::seggrid.base.errors.Note")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seggrid.align(["a"], ["b", "c"]), "1 source sentences and 2 target"),
        (lambda: seggrid.align(["a\nb"], ["c"]), "source:1: a line end inside a sentence"),
        (lambda: seggrid.align([["a b"]], ["c"]), "source:1: 'a b' as a word"),
        (lambda: seggrid.align(["a"], [3]), "target:1: 3 as a sentence"),
        (lambda: seggrid.align(["a", "a▁"], ["b", "b"]), "source:2: ▁ .* in the text"),
        (lambda: seggrid.align([""], ["b"]), "no sentence pair has words on both sides"),
        (lambda: seggrid.align(["a"], ["b"], "pbe"), "did you mean 'bpe'"),
        (lambda: seggrid.align(["a"], ["b"], mergers=3), "did you mean 'merges'"),
        (lambda: seggrid.align(["a"], ["b"], merges="x"), "merges: 'x'"),
        (
            lambda: seggrid.align(["a"], ["b"], options={"gibbs": {"sampler": 1}}),
            "did you mean 'samplers'",
        ),
        (
            lambda: seggrid.align(["a"], ["b"], options={"fast_align": {"p0": 0.1}}),
            "options of fast_align, but the aligner is gibbs",
        ),
        (lambda: seggrid.align(["a"], ["b"], options={"gibbs": 3}), "options={'gibbs': 3} "),
        (lambda: seggrid.align(["a"], ["b"], priors=3), "priors=3 "),
        (lambda: seggrid.align(["a"], ["b"], name=3), "name=3 "),
        (lambda: seggrid.Aligner(aligner="eflomal").fit(["a"], ["b"]), "keeps no model"),
        (lambda: seggrid.align(["a"], ["b"], aligner="eflomal", scores=True), "no scores"),
        (lambda: seggrid.Segmenter.learn(["a"], "words", merges=3), "words would ignore it"),
        (lambda: seggrid.Segmenter.learn(["a"], "bep"), "did you mean 'bpe'"),
        (lambda: seggrid.Segmenter.learn(["a", "b"], "bilingual", merges=9), "from two texts"),
        (lambda: seggrid.Segmenter.learn(["a"], "unigram", sampling=0.1), "0.1 is not a way to"),
        (lambda: seggrid.Segmenter.learn(["a"], "bpe", tokenizer=None), "None cannot be a name"),
        (lambda: seggrid.Segmenter.load("absent"), "absent: no such file"),
    ],
)
def test_mistakes_are_one_line(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_priors_of_other_text_are_read(files, capsys):
    command(capsys, "align", "eng", "deu", "--recipe", "words", "--keep", "models")
    (files / "one").write_text("the red car ||| das rote auto\n")
    priors = files / "models" / "aligner-0.priors"
    ask = ["align", "one", "--recipe", "words", "--priors"]
    assert command(capsys, *ask, priors) == ["0-0 1-1 2-2"]
    found = seggrid.align(["the red car"], ["das rote auto"], "words", priors=priors)
    assert found.lines() == ["0-0 1-1 2-2"]
    pairs = sum(line.startswith("LEX") for line in priors.read_text("utf-8").splitlines())
    note = f"note: 3 of {pairs} pairs of tokens in the priors occur in the text\n"
    assert main([*ask, str(priors)]) == 0
    assert capsys.readouterr().err == note
    half = files / "half"
    half.write_text("LEX\tthe\thaus\t90000\nLEX\thouse\tdas\t90000\n")
    both = [priors, half]
    assert (
        command(capsys, *ask, priors, "--priors", half)
        == seggrid.align(["the red car"], ["das rote auto"], "words", priors=both).lines()
        != found.lines()
    )


def test_tokens_of_a_segmenter_are_texts_where_words_are_whole(files, capsys):
    tokens = {
        "e.p": "\u2581the \u2581ho use </w>\n\u2581red\n",
        "d.p": "\u2581das \u2581haus\n\u2581rot\n",
    }
    for name, text in tokens.items():
        (files / name).write_text(text)
    ask = ["align", "e.p", "d.p", "--training", "d.p", "e.p", "--recipe", "words-fast_align"]
    links = command(capsys, *ask, "-o", "l") or (files / "l").read_text().splitlines()
    lists = [text.splitlines() for text in tokens.values()]
    training = [tuple(reversed(lists))]
    assert seggrid.align(*lists, "words-fast_align", training=training).lines() == links
    remapped = command(capsys, "remap", "l", "--source", "e.p", "e.p", "--target", "d.p", "d.p")
    assert remapped == links
    with pytest.raises(InputError, match="tokens can be aligned by --recipe words"):
        seggrid.align(*lists, "bpe", merges=3)


def test_links_of_tokens_become_links_of_words(files, capsys):
    (files / "tokens").write_text("do n&apos;t go .\nthe house\n")
    (files / "words").write_text("don't go.\nthe house\n")
    (files / "target").write_text("geh nicht .\ndas Haus\n")
    (files / "links").write_text("0-1 1-1 2-0 3-2\n0-0\n")
    texts = ["--source", "tokens", "words", "--target", "target", "target"]
    assert main(["remap", "links", *texts, "-o", "new"]) == 0
    assert capsys.readouterr().err == ""
    assert (files / "new").read_text() == "0-1 1-0 1-2\n0-0\n"
    (files / "other").write_text("x y z\nthe house\n")
    assert main(["remap", "links", *texts[:2], "other", *texts[3:]]) == 0
    out, err = capsys.readouterr()
    assert out == "\n0-0\n"
    assert "in no new one: 4 of 5" in err


def test_tokenizers_of_ones_own(files, capsys):
    pytest.importorskip("tokenizers")
    for name in ("eng", "deu"):
        command(capsys, "learn", name, "--merges", 6, "-o", f"{name}.model")
        options = ["--to", "tokenizer", "--text", name, "-o", f"{name}.json"]
        command(capsys, "convert", f"{name}.model", *options)
    ask = ["align", "eng", "deu", "--recipe", "bpe-fast_align"]
    bpe = command(capsys, *ask, "--merges", 6, "--case", "keep")
    assert command(capsys, *ask, "--tokenizer", "eng.json", "deu.json") == bpe
    found = seggrid.align("eng", "deu", "bpe-fast_align", tokenizers=["eng.json", "deu.json"])
    assert found.lines() == bpe
    assert main([*ask, "--tokenizer", "eng.json", "deu.json", "--keep", "m"]) == 2
    assert "models are not kept with a tokenizer" in capsys.readouterr().err
