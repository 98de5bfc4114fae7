"""`seggrid.score` and the other functions read links as the commands do, and check every argument."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import seggrid
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.text.gold import Gold
from seggrid.text.links import Links

WORDS = [[f"w{k}", "x", "y"] for k in range(30)]
LINKS = [[(0, 0), (1, 1), (2, 0)]] * 30
SURE = [[(0, 0), (1, 1)]] * 30
POSSIBLE = [[(2, 0)]] * 30


def from_one(rows):
    return [[(i + 1, j + 1) for i, j in row] for row in rows]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = {
        "links": Links.from_sets(LINKS).lines(),
        "gold": Links.from_sets(SURE).lines(),
        "one": Links.from_sets(from_one(SURE)).lines(),
        "text": [" ".join(words) for words in WORDS],
    }
    rows["ids"] = [f"{k}\t{line}" for k, line in enumerate(rows["gold"], 1)]
    rows["naacl"] = [f"{k} {i} {j}" for k, row in enumerate(SURE, 1) for i, j in row]
    rows["naacl-one"] = [f"{k} {i} {j}" for k, row in enumerate(from_one(SURE), 1) for i, j in row]
    for name, lines in rows.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize(
    ("links", "gold", "options"),
    [
        ("links", "gold", {}),
        ("links", "one", {"base": 1}),
        (LINKS, SURE, {}),
        (LINKS, from_one(SURE), {"base": 1}),
        (LINKS, [[(j, i) for i, j in row] for row in SURE], {"swapped": True}),
        ((iter(row) for row in LINKS), (iter(row) for row in SURE), {}),
        (Links.from_sets(LINKS).lines(), iter(SURE), {}),
        (np.array(LINKS), np.array(SURE), {}),
        ("links", "ids", {"format": "pharaoh-ids", "ids": [str(k) for k in range(1, 31)]}),
        ("links", "naacl-one", {"format": "naacl", "base": 1, "numbered": True}),
        ("links", "naacl-one", {"format": "naacl", "base": 1, "text": ("text", iter(WORDS))}),
    ],
)
def test_all_forms_of_links_and_gold_have_the_same_scores(files, links, gold, options):
    found = seggrid.score(links, gold, **options)
    assert (found.precision, found.recall) == (2 / 3, 1)


def test_possible_links_may_be_iterators(files):
    found = seggrid.score(LINKS, iter(SURE), possible=(iter(row) for row in POSSIBLE))
    assert (found.precision, found.recall, found.aer) == (1, 1, 0)


REFUSED = [
    ("one", {}, "no link of 30 sentences uses position 0, on either side"),
    ("ids", {"format": "pharaoh-ids"}, "pharaoh-ids names sentences, but the text is not given"),
    ("ids", {"format": "pharaoh-ids", "numbered": True}, "the first sentence is 1: line numbers"),
    ("naacl", {"format": "naacl", "numbered": True}, "the first sentence is 1: line numbers may"),
    ("naacl-one", {"format": "naacl", "numbered": True}, "the first sentence is 1: line numbers"),
    ("gold", {"format": "naacl"}, "naacl names sentences, but the text is not given"),
    ("gold", {"bad_links": "drop"}, "--bad-links drop needs the texts"),
    ("gold", {"base": 1}, "position 0 in link (0, 0)"),
]


@pytest.mark.parametrize(("gold", "options", "message"), REFUSED)
def test_python_refuses_what_the_command_refuses(files, capsys, gold, options, message):
    with pytest.raises(InputError) as caught:
        seggrid.score("links", gold, **options)
    assert message in str(caught.value)
    names = {key: "gold-format" if key == "format" else key.replace("_", "-") for key in options}
    ask = [
        f"--{names[key]}" if value is True else f"--{names[key]}={value}"
        for key, value in options.items()
    ]
    assert main(["score", "links", gold, *ask]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seggrid.score(LINKS, from_one(SURE)), "gold: no link of 30 sentences uses"),
        (lambda: seggrid.score(from_one(LINKS), SURE), "links: no link of 30 sentences uses"),
        (lambda: seggrid.score(LINKS[:3], SURE), "gold of sentence 30, but links of 3"),
        (lambda: seggrid.score(["0-0", "x"], SURE[:1]), "links:2: malformed link 'x'"),
        (lambda: seggrid.score([["0-0"]], SURE[:1]), "links:1: ['0-0'] as links"),
        (lambda: seggrid.score([[(0, 0, 1)]], SURE[:1]), "links:1: [(0, 0, 1)] as links"),
        (lambda: seggrid.score([[(0, 0.5)]], SURE[:1]), "links:1: [(0, 0.5)] as links"),
        (lambda: seggrid.score([[(0, -1)]], SURE[:1]), "links:1: a negative position"),
        (lambda: seggrid.score(7, SURE), "7 as links"),
        (lambda: seggrid.score(LINKS, 7), "7 as gold"),
        (lambda: seggrid.read_links(7), "file=7 (give a path)"),
        (lambda: seggrid.score(LINKS, SURE, base=2), "base=2 (give 0 or 1, or None)"),
        (lambda: seggrid.score(LINKS, SURE, base=True), "base=True"),
        (lambda: seggrid.score(LINKS, SURE, swapped="no"), "swapped='no' (give True or False)"),
        (lambda: seggrid.score(LINKS, SURE, format="giza"), "format='giza'"),
        (lambda: seggrid.score(LINKS, SURE, seed="x"), "seed='x' (give a whole number from 0"),
        (lambda: seggrid.score(LINKS, SURE, resamples=0), "resamples=0"),
        (lambda: seggrid.score(LINKS, SURE, text="text"), "text='text' (give two texts, (source"),
        (
            lambda: seggrid.score(LINKS, SURE, text=7),
            "text=7 (give two texts, (source, target), or",
        ),
        (lambda: seggrid.score(LINKS, SURE, ids=7), "ids=7 (give the id of each sentence, such as"),
        (lambda: seggrid.score(LINKS, SURE, ids="a b"), "ids='a b' (give the id of each sentence"),
        (lambda: seggrid.remap(LINKS, None, (WORDS, WORDS)), "source=None (give the text twice"),
        (
            lambda: seggrid.remap(LINKS, (WORDS, WORDS), "gold"),
            "target='gold' (give the text twice",
        ),
        (lambda: seggrid.filter(["a"], ["b"], malformed="a"), "malformed='a' (give a list of the"),
        (lambda: seggrid.filter(["a"], ["b"], malformed=[-1]), "malformed=[-1] (give a list of"),
        (
            lambda: seggrid.filter(["a"], ["b"], malformed=[1]),
            "malformed: no sentence pair 1, counted",
        ),
        (lambda: seggrid.tree("model", "word"), "words='word' (give a list of words)"),
        (lambda: seggrid.tree("model", 7), "words=7 (give a list of words)"),
        (lambda: seggrid.show({}, WORDS, WORDS), "no links (give some, as {NAME: links})"),
        (
            lambda: seggrid.filter(["a"], ["b"], shortest=2, longest=1),
            "longest=1, below shortest=2",
        ),
        (lambda: seggrid.align(["a", "b \ud800"], ["a"] * 2), "source:2: '\\ud800', half of a"),
        (lambda: SEGMENTER.segment([["a"]] * 9000 + [["\udfff"]]), "text:9001: '\\udfff', half of"),
        (lambda: seggrid.plugin(None), "plugin=None (give a path)"),
        (lambda: SEGMENTER.save(None), "file=None (give a path)"),
        (lambda: seggrid.Aligner("words").save(7), "folder=7 (give a path)"),
        (lambda: seggrid.align(WORDS, WORDS, None), "recipe=None (give a recipe, by name or file)"),
        (lambda: seggrid.Aligner(7), "recipe=7 (give a recipe, by name or file)"),
        (lambda: seggrid.align(["a"], ["b"], training=None), "training text that is not in pairs"),
        (lambda: seggrid.align(["a"], ["b"], training=b"x"), "training text that is not in pairs"),
        (
            lambda: seggrid.align(["a"], ["b"], tokenizers="gold", tokenizer_format="hf"),
            "no format 'hf' (use huggingface, sentencepiece",
        ),
        (lambda: seggrid.Segmenter.load("gold", format="merge"), "(did you mean 'merges'?)"),
        (lambda: seggrid.score(LINKS, SURE, text=(WORDS, WORDS[:2])), "30 source sentences and 2"),
        (lambda: seggrid.score(LINKS, SURE, text=([["a"]] * 30, WORDS)), "lies outside its"),
        (lambda: seggrid.score(LINKS, "gold", possible=POSSIBLE), "possible links together with"),
        (lambda: seggrid.score(LINKS, SURE, possible=POSSIBLE[:1]), "possible ones of 1"),
        (lambda: seggrid.score(LINKS, [[]] * 30), "not one sure link"),
        (lambda: seggrid.score(LINKS, READ, base=1), "with gold that was read already"),
        (lambda: seggrid.read_links("links", above=2), "above=2 (give a number from 0 to 1)"),
        (lambda: seggrid.read_links("links", format="x"), "format='x'"),
        (lambda: seggrid.align(WORDS, WORDS, seed=-1), "seed=-1"),
        (lambda: seggrid.align(WORDS, WORDS, threads="2"), "threads='2'"),
        (lambda: seggrid.align(5, WORDS), "5 as source"),
        (lambda: seggrid.recommend(WORDS, WORDS, budget="10m"), "budget='10m'"),
        (lambda: seggrid.filter(WORDS, WORDS, ratio=0.5), "ratio=0.5 (give a number, 1 or"),
        (lambda: seggrid.filter(WORDS, WORDS, unaligned=2), "unaligned=2"),
        (
            lambda: seggrid.filter(["a"], ["b"], links=[[(0, 1)]], unaligned=0.5),
            "links:1: the link 0-1 lies outside its sentence",
        ),
        (lambda: SEGMENTER.segment(["a"], style="zz"), "style='zz'"),
        (lambda: SEGMENTER.segment(["a"], seed="x"), "seed='x'"),
        (lambda: SEGMENTER.samples([["a"]], count=-1), "count=-1"),
        (lambda: seggrid.measure(["a"], SEGMENTER, size=-1), "size=-1"),
        (lambda: seggrid.Aligner(tokenizers="none.json"), "none.json: no such file"),
        (
            lambda: seggrid.recommend(["a"], ["a"], tokenizers="none.json"),
            "none.json: no such file",
        ),
        (lambda: seggrid.measure(["a"], "bpe"), "segmenter='bpe' (give a Segmenter)"),
        (
            lambda: seggrid.score(LINKS, [["0-0"]]),
            "gold:1: ['0-0'] as links (give for each sentence its",
        ),
        (
            lambda: seggrid.filter(["a"], ["b"], scores=np.ones((1, 4)), least_score=0),
            "(give mean_scores of an alignment, or None)",
        ),
        (
            lambda: seggrid.align(["a"], ["b"], "words", training=("links", "gold")),
            "training text that is not in pairs (give training=[(source, target)]",
        ),
    ],
)
def test_every_wrong_argument_is_told_in_one_line(files, call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


READ = Gold(np.arange(30), Links.from_sets(SURE), Links.from_sets(SURE))
SEGMENTER = seggrid.Segmenter.load(segmenter="words")


def test_a_mistyped_argument_is_refused():
    for call in (seggrid.score, seggrid.recommend):
        with pytest.raises(TypeError, match="swaped"):
            call(LINKS, SURE, swaped=True)


def test_texts_may_be_iterators():
    lists = seggrid.align(["the house", "a house"], ["das haus", "ein haus"], "words-fast_align")
    texts = iter(["the house", "a house"]), iter(["das haus", "ein haus"])
    assert seggrid.align(*texts, "words-fast_align").lines() == lists.lines() != ["", ""]


def test_links_are_checked_against_the_texts_that_were_aligned(files):
    links = seggrid.align(WORDS, WORDS, "words-fast_align")
    with pytest.raises(InputError, match="a link from word 3 to word 0 in sentence 0"):
        seggrid.score(links, [[(3, 0)], *SURE[1:]])
    kept = seggrid.score(links, [[(3, 0), (0, 0)], *SURE[1:]], bad_links="drop")
    assert kept.recall == seggrid.score(links, [[(0, 0)], *SURE[1:]]).recall


def test_links_of_an_alignment_are_checked_against_another_text():
    links = seggrid.align(WORDS, WORDS, "words-fast_align")
    with pytest.raises(InputError, match="links of 30 sentence pairs, but the text has 31"):
        seggrid.score(links, SURE, text=([*WORDS, ["a"]], [*WORDS, ["a"]]))


def test_gold_without_links_is_skipped_in_lists_as_in_files(files):
    Path("some").write_text("0-0\n\n1p1 1-1\n")
    links = [[(0, 0)], [(0, 1)], [(1, 1)]]
    of_file = seggrid.score(links, "some", empty_lines="skip")
    assert of_file == seggrid.score(links, [[(0, 0)], [], [(1, 1)]], empty_lines="skip")
    assert of_file.precision == 1
    assert seggrid.score(links, [[(0, 0)], [], [(1, 1)]]).precision == pytest.approx(2 / 3)


def test_links_in_the_other_order_than_the_gold_are_told():
    gold = [[(0, 0), (0, 1), (2, 1)]] * 20
    with pytest.warns(match="20 links are in the gold, 60 if one of the two has the target word"):
        seggrid.score([[(0, 0), (1, 0), (1, 2)]] * 20, gold)
    with warnings.catch_warnings(action="error"):
        seggrid.score(gold, gold)
    with pytest.warns(match="the links never use the first source word, counted from 0"):
        seggrid.score([[(1, 0), (2, 1)]] * 20, gold)


def test_samples_are_drawn_from_texts_in_every_form(files):
    lines = SEGMENTER.samples([["a", "bc"], ["d"]])[0].lines()
    assert lines == SEGMENTER.samples(["a bc", "d"])[0].lines()
    Path("text").write_text("a bc\nd\n")
    assert lines == SEGMENTER.samples("text")[0].lines()


@pytest.mark.parametrize("ids", [["1 ", " 2"], [1, 2]])
def test_ids_may_have_spaces_around_them_or_be_numbers(files, ids):
    Path("named").write_text("2\t0-0\n1\t1-1\n")
    ask = {"format": "pharaoh-ids", "ids": ids}
    assert seggrid.score([[(1, 1)], [(0, 0)]], "named", **ask).f1 == 1
    assert seggrid.recommend(["a b", "a b"], ["c d", "c d"], "named", **ask).measure == "F1"


@pytest.mark.parametrize("format", ["simalign", "probabilities", "giza", "naacl"])
def test_links_of_other_programs_are_scored_as_pharaoh_lines(files, capsys, format):
    gold = np.array(SURE[0]).tolist()
    lines = {
        "simalign": [f"{k}\t0-0 1-1" for k in range(30)],
        "probabilities": ["0-0:0.9 1-1:0.8 2-0:0.1"] * 30,
        "naacl": [f"{k} {i} {j}" for k in range(1, 31) for i, j in ((1, 1), (2, 2))],
        "giza": [
            line
            for k in range(1, 31)
            for line in (
                f"# Sentence pair ({k}) source length 3 target length 2 alignment score : 0.1",
                "x y",
                "NULL ({ }) w ({ 1 }) x ({ 2 }) y ({ })",
            )
        ],
    }[format]
    (files / "other").write_text("\n".join(lines) + "\n")
    base = ["--links-base", "1"] * (format == "naacl")
    assert main(["score", "other", "gold", *base]) == 0
    assert "f1\t1.0000" in capsys.readouterr().out
    assert main(["symmetrize", "other", "other", *base]) == 0
    assert capsys.readouterr().out == "0-0 1-1\n" * 30
    texts = ["--source", "text", "text", "--target", "text", "text"]
    assert main(["remap", "other", *texts, *base]) == 0
    assert capsys.readouterr().out == "0-0 1-1\n" * 30
    assert main(["filter", "text", "text", "--links", "other", *base, "--unaligned", "0.3"]) == 0
    assert capsys.readouterr().out == ""
    found = seggrid.read_links("other", base=1 if base else None)
    assert found.sentence(0) == [tuple(pair) for pair in gold]


@pytest.mark.parametrize("far", [10_000, 2**31, 2**70])
def test_a_position_that_no_sentence_has(far):
    with pytest.raises(InputError, match=r"links:1: a position beyond"):
        seggrid.score([[(far, 0)]], [[(0, 0)]])


def test_settings_may_be_numbers_of_numpy():
    text = [" ".join(words) for words in WORDS]
    own = {"merges": np.int64(3), "samples": np.int32(2), "dropout": np.float64(0.5)}
    options = {"gibbs": {"samplers": np.int64(1)}}
    found = seggrid.align(text, text, "bpe", options=options, **own)
    plain = {name: value.item() for name, value in own.items()}
    again = seggrid.align(text, text, "bpe", options={"gibbs": {"samplers": 1}}, **plain)
    assert found.probabilities == again.probabilities
    learned = seggrid.Segmenter.learn(text, merges=np.int64(2))
    assert (learned.model.learned, learned.side) == (
        2,
        seggrid.Segmenter.learn(text, merges=2).side,
    )


def test_parallel_texts_are_read_once():
    lines, other = ["a b", "", "c"], ["x", "y"]
    with pytest.raises(InputError, match="an empty sentence in texts that are parallel"):
        seggrid.measure(iter(lines), SEGMENTER, parallel=other)
