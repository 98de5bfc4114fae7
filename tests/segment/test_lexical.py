"""The lexical tokenizer: learned on words of one part of speech, applied to tokens with that tag."""

import pytest

from seggrid.base.errors import InputError
from seggrid.segment.bpe.apply import apply as apply_bpe
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.lexical import Lexical
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import learn_model, segment_text, segment_words
from seggrid.segment.wordmap import find_segments
from seggrid.text.annotated import annotate
from sides import side_of

MERGES = [("▁v", "e"), ("e", "n"), ("▁ve", "r"), ("h", "en"), ("s", "t")]
MODEL = Lexical({"ver": 3, "en": 2, "steh": 1, "geh": 1}, MERGES, "bpe")
EMPTY = Lexical({}, [], "bpe")
VERBS = ["verstehen", "vergehen", "verlaufen", "stehen", "gehen", "laufen", "verstehst"]


def tagged(sentences, chosen):
    """A tagged text: verbs where a word is chosen."""
    return [
        [annotate(word, "-", "verb" if flag else "noun") for word, flag in zip(*own, strict=True)]
        for own in zip(sentences, chosen, strict=True)
    ]


def apply(model, sentences, chosen, **axes):
    side = side_of("lexical", **{"merges": 1000, **axes})
    return model.segment(tagged(sentences, chosen), side, [0], 1)[0]


def segment(model, words, flags):
    return apply(model, [words], [flags]).sentence(0)


def learn(sentences, chosen, size, lexicon=(), **axes):
    text, words = tagged(sentences, chosen), [(word, "verb") for word in lexicon]
    return Lexical.learn(text, size, side_of("lexical", **axes), given=words)


def test_tagged_tokens_are_cut_into_segments_others_are_not():
    words = ["verstehen", "verstehen", "wer"]
    assert segment(MODEL, words, [True, False, True]) == [
        "▁ver", "steh", "en", *["▁ver", "st", "e", "hen"], "▁w", "e", "r",
    ]  # fmt: skip
    assert MODEL.covers(["verstehen", "wer", ""]) == [["ver", "steh", "en"], [], []]


def test_without_tagged_tokens_it_is_the_tokenizer_beneath():
    sentences = [["verstehen", "wer"], ["gehen"]]
    none = [[False, False], [False]]
    ours, theirs = apply(MODEL, sentences, none), apply_bpe(BPEModel(MERGES), sentences)
    assert ours.lines() == theirs.lines()
    assert ours.first.tolist() == theirs.first.tolist()


def test_wordpiece_beneath():
    model = Lexical(MODEL.segments, MERGES, "wordpiece")
    assert segment(model, ["verhen"], [False]) == ["▁ver", "hen"]


def test_the_joint_vocabulary():
    """Half are segments; a result of a merge that is also a segment ('en') is one type."""
    used = MODEL.prefix(6)
    assert list(used.segments) == ["ver", "en", "steh"]
    assert used.merges == MERGES[:4]
    types = {*used.segments, *("".join(m) for m in used.merges)}
    assert len(types) == 6
    assert MODEL.prefix(0) == EMPTY
    assert MODEL.prefix(1000) == MODEL.prefix(None) == MODEL


def test_segments_are_those_of_wordmap_on_the_words_of_one_part():
    sentences = [[*VERBS, "Haus", "Maus"], ["verstehen"]]
    chosen = [[True] * len(VERBS) + [False] * 2, [True]]
    alone = find_segments(VERBS)
    assert learn(sentences, chosen, 5).segments == alone
    assert learn(sentences, [[True] * 9, [True]], 5).segments != alone
    with_lexicon = learn(sentences, chosen, 5, lexicon=["besuchen", "verstehen"]).segments
    assert with_lexicon == find_segments([*VERBS, "besuchen"])


def test_few_words_and_long_segments_are_left_out():
    found = learn([VERBS], [[True] * len(VERBS)], 5, zscore="-0.5").segments
    assert {min(found.values()), max(map(len, found))} >= {1}
    kept = learn([VERBS], [[True] * len(VERBS)], 5, zscore="-0.5", least_words=2, longest_segment=3)
    assert kept.segments == {
        s: n for s, n in found.items() if n >= 2 and len(s) <= 3
    }  # fmt: skip


def test_as_the_grid_calls_it():
    values = {"pos": "verb", "fallback": "bpe", "zscore": "-0.50", "merges": 8}
    side = side_of("lexical", **values)
    assert "+pos=verb+fallback=bpe+zscore=-0.5+" in str(side)
    assert parse_spec(str(side)) == side
    sentences, chosen = [VERBS, ["verstehen"]], [[True] * 7, [False]]
    text = tagged(sentences, chosen)
    model = Lexical.learn(text, 20, side, given=[("x", "noun")])
    assert model == learn(sentences, chosen, 20, fallback="bpe", zscore="-0.5")
    (cut,) = model.segment(text, side, [0], 1)
    assert cut.lines() == apply(model, sentences, chosen, merges=8).lines()
    assert set(cut.types) - model.types(side) <= {
        t for t in cut.types if len(t.removeprefix("▁")) == 1
    }


def test_a_segment_that_is_also_a_product_is_one_type():
    assert MODEL.learned == len(MODEL.segments) + len(MERGES) - 1


def test_a_text_without_parts_of_speech_is_refused():
    with pytest.raises(InputError, match="'gehen' is not a word, its tag and its part of speech"):
        apply_to([["gehen"]])


def apply_to(text):
    return segment_text(text, side_of("lexical", merges=5), MODEL, [0])


def test_a_glossary_has_words_without_their_tags():
    """They are left whole, and nothing is learned from them."""
    chosen = [[True] * 7]
    side = side_of("lexical", merges=8, fallback="bpe", glossary="ge.*|ver.*n")
    rest = [word for word in VERBS if word in ("stehen", "laufen", "verstehst")]
    model = learn_model(tagged([VERBS], chosen), side)
    assert model == learn([rest], [[True] * 3], 8, fallback="bpe")
    (cut,) = segment_text(tagged([VERBS], chosen), side, model, [0])
    tokens = cut.sentence(0)
    assert {"▁" + word for word in VERBS if word not in rest} <= set(tokens)
    assert "".join(tokens).split("▁")[1:] == VERBS
    (alone,) = segment_words(side, model, tagged([VERBS], chosen)[0], [0])
    assert alone.sentence(1) == ["▁vergehen"]


def test_words_are_cut_the_same_in_any_case_of_their_tags():
    text = tagged([["Verstehen", "gehen"]], [[True, True]])
    upper = [[word.replace("|-|", "|VV(FIN)|") for word in words] for words in text]
    (ours,), (theirs,) = (
        segment_text(one, side_of("lexical", merges=9, case="lower"), MODEL, [0])
        for one in (text, upper)
    )
    assert ours.lines() == theirs.lines() == ["▁ver steh en ▁geh en"]
