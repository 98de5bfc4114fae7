"""The lexical tokenizer: learned on words of one part of speech, applied to tokens with that tag."""

import pytest

from seggrid.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.apply import apply as apply_bpe
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.lexical.apply import apply, covers_of
from seggrid.segment.lexical.learner import learn_chosen
from seggrid.segment.lexical.model import LexicalModel, read_model, write_model
from seggrid.segment.side import parse_spec
from seggrid.segment.wordmap import learn as wordmap
from seggrid.segment.wordmap.model import WordmapModel
from sides import side_of

MERGES = [("▁v", "e"), ("e", "n"), ("▁ve", "r"), ("h", "en"), ("s", "t")]
MODEL = LexicalModel(
    WordmapModel({"ver": 3, "en": 2, "steh": 1, "geh": 1}), BPEModel(MERGES), "bpe"
)
VERBS = ["verstehen", "vergehen", "verlaufen", "stehen", "gehen", "laufen", "verstehst"]


def segment(model, words, flags, size=None):
    return apply(model, [words], [flags], size=size).sentence(0)


def test_tagged_tokens_are_cut_into_segments_others_are_not():
    words = ["verstehen", "verstehen", "wer"]
    assert segment(MODEL, words, [True, False, True]) == [
        "▁ver", "steh", "en", *["▁ver", "st", "e", "hen"], "▁w", "e", "r",
    ]  # fmt: skip
    assert covers_of(MODEL, ["verstehen", "wer", ""]) == [["ver", "steh", "en"], [], []]


def test_without_tagged_tokens_it_is_the_tokenizer_beneath():
    sentences = [["verstehen", "wer"], ["gehen"]]
    none = [[False, False], [False]]
    ours, theirs = apply(MODEL, sentences, none), apply_bpe(MODEL.merges, sentences)
    assert ours.lines() == theirs.lines()
    assert ours.first.tolist() == theirs.first.tolist()


def test_wordpiece_beneath():
    model = LexicalModel(MODEL.segments, MODEL.merges, "wordpiece")
    assert segment(model, ["verhen"], [False]) == ["▁ver", "hen"]


def test_the_joint_vocabulary():
    """Half are segments; a result of a merge that is also a segment ('en') is one type."""
    used = MODEL.prefix(6)
    assert list(used.segments.segments) == ["ver", "en", "steh"]
    assert used.merges.merges == MERGES[:4]
    types = {*used.segments.segments, *("".join(m) for m in used.merges.merges)}
    assert len(types) == 6
    assert MODEL.prefix(0) == LexicalModel(WordmapModel({}), BPEModel([]), "bpe")
    assert MODEL.prefix(1000) == MODEL.prefix(None) == MODEL


def test_segments_are_those_of_wordmap_on_the_words_of_one_part():
    sentences = [[*VERBS, "Haus", "Maus"], ["verstehen"]]
    chosen = [[True] * len(VERBS) + [False] * 2, [True]]
    alone = wordmap.learn([VERBS])
    assert learn_chosen(sentences, chosen, 5).segments == alone
    assert learn_chosen(sentences, [[True] * 9, [True]], 5).segments != alone
    with_lexicon = learn_chosen(sentences, chosen, 5, lexicon=["besuchen", "verstehen"]).segments
    assert with_lexicon == wordmap.learn([[*VERBS, "besuchen"]])


def test_few_words_and_long_segments_are_left_out():
    found = learn_chosen([VERBS], [[True] * len(VERBS)], 5, threshold=-0.5).segments.segments
    assert {min(found.values()), max(map(len, found))} >= {1}
    kept = learn_chosen([VERBS], [[True] * len(VERBS)], 5, threshold=-0.5, least_words=2, longest=3)
    assert kept.segments.segments == {
        s: n for s, n in found.items() if n >= 2 and len(s) <= 3
    }  # fmt: skip


def test_written_and_read_back(tmp_path):
    for model in (MODEL, LexicalModel(WordmapModel({}), BPEModel([]), "bpe")):
        write_model(model, tmp_path / "model")
        assert read_model(tmp_path / "model") == model
    wordpiece = learn_chosen([VERBS], [[True] * len(VERBS)], 5)
    write_model(wordpiece, tmp_path / "model")
    assert read_model(tmp_path / "model") == wordpiece


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#seggrid-lexical 1 fallback=unigram\n#merges\n", "model:1: not a lexical model"),
        ("#seggrid-wordmap 1\n", "model:1: not a lexical model"),
        ("#seggrid-lexical 1 fallback=bpe\nver 3\n", "model: no line #merges"),
        ("#seggrid-lexical 1 fallback=bpe\nv 3\n#merges\n", "model:2: 'v 3' is not a segment"),
        ("#seggrid-lexical 1 fallback=bpe\nver 3\nver 3\n#merges\n", "model:3: the segment"),
        ("#seggrid-lexical 1 fallback=bpe\n#merges\na\n", "model:3: 'a' is not a merge"),
        ("#seggrid-lexical 1 fallback=bpe\n#merges\na b\na b\n", "model:4: the merge"),
    ],
)
def test_a_damaged_model_is_refused(tmp_path, text, message):
    (tmp_path / "model").write_text(text)
    with pytest.raises(InputError) as caught:
        read_model(tmp_path / "model")
    assert message in str(caught.value)


def test_as_the_grid_calls_it():
    values = {
        "segmenter": "lexical",
        "case": "keep",
        "sentences": "all",
        "pos": "verb",
        "fallback": "bpe",
    }
    values |= {"zscore": "-0.50", "least_words": 1, "longest_segment": 0, "merges": 8}
    side = side_of(**values)
    assert "+pos=verb+fallback=bpe+zscore=-0.5+" in str(side)
    assert parse_spec(str(side)) == side
    entry = SEGMENTERS["lexical"]
    tags = [["verb"] * len(VERBS), ["noun"]]
    sentences = [VERBS, ["verstehen"]]
    model = entry.load_learner().learn(sentences, 20, side, tags=tags, lexicon=[("x", "noun")])
    assert model == learn_chosen(
        sentences, [[True] * 7, [False]], 20, fallback="bpe", threshold=-0.5
    )
    (cut,) = entry.load().segment(model, sentences, side, [0], 1, tags=tags)
    assert cut.lines() == apply(model, sentences, [[True] * 7, [False]], size=8).lines()
    assert set(cut.types) - entry.load().types(model, side) <= {
        t for t in cut.types if len(t.removeprefix("▁")) == 1
    }


def test_a_segment_that_is_also_a_product_is_one_type():
    segmenter = SEGMENTERS["lexical"].load()
    assert segmenter.learned(MODEL) == len(MODEL.segments.segments) + len(MERGES) - 1


@pytest.mark.parametrize("word", ["", "a b", "▁a"])
def test_no_words(word):
    with pytest.raises(InputError, match="is not a word"):
        segment(MODEL, [word], [True])
