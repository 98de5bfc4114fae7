"""`spaces: hidden`: learner and segmenter see no spaces; tokens are mapped to words nevertheless."""

import random
from functools import partial

import pytest

import sides
from seggrid.base.lines import write_lines
from seggrid.segment import HIDDEN, SEGMENTERS
from seggrid.segment.side_segmenter import learn_model, measures_of, segment_text

WORDS = """
    京都 日本 東京 寺 神社 将軍 天皇 歴史 時代 明治 平安 鎌倉 世界 文化 建築 庭園 国宝 僧侶 仏教 禅宗
    は が の を に で と から まで ある いる する した された として について による であった において
    カタカナ アメリカ 1868 （ ） 、 「 」 々 人々 々々 一 二 三 四 五 年 月 日 大 小 新 古
"""
HIDING = [name for name, entry in SEGMENTERS.items() if "spaces" in entry.axes]


side_of = partial(sides.side_of, merges=300, spaces=HIDDEN)


@pytest.fixture(scope="module")
def sentences():
    """Made-up Japanese, in which some words nearly always stand together."""
    draw, words = random.Random(1), WORDS.split()
    phrases = [draw.choices(words, k=draw.randint(1, 4)) for _ in range(200)]
    drawn = (draw.choices(phrases[:40], k=3) + draw.choices(phrases, k=4) for _ in range(300))
    return [[word for phrase in line for word in phrase] + ["。"] for line in drawn]


def words_of(sentence, begin, end):
    found, at = [], 0
    for j, word in enumerate(sentence):
        if begin < at + len(word) and end > at:
            found.append(j)
        at += len(word)
    return found


@pytest.mark.parametrize("name", HIDING)
def test_tokens_lie_on_the_words_that_their_characters_are_of(name, sentences):
    side = side_of(name)
    (found,) = segment_text(sentences, side, learn_model(sentences, side), [0])
    crossing = 0
    for s, sentence in enumerate(sentences):
        at = 0
        for row in range(found.offsets[s], found.offsets[s + 1]):
            text = found.types[found.ids[row]].replace("▁", "")
            expected = words_of(sentence, at, at + len(text))
            assert list(range(found.first[row], found.last[row] + 1)) == expected
            crossing += len(expected) > 1
            at += len(text)
        assert at == sum(map(len, sentence))
    assert (crossing > 0) == (name != "characters")


@pytest.mark.parametrize("name", ["bpe", "sentencepiece_bpe", "sentencepiece_unigram"])
def test_sentences_are_exact_without_their_spaces(name, sentences):
    side = side_of(name)
    model = learn_model(sentences, side)
    (cut,) = segment_text(sentences, side, model, [0])
    assert measures_of(side, model, cut, sentences, sentences)["exact_sentences"] == 1


@pytest.mark.parametrize("name", HIDING)
def test_no_boundary_is_seen(name, sentences):
    """Other words of the same characters give the same tokens."""
    side = side_of(name)
    other = [list("".join(words)) for words in sentences]
    (one,) = segment_text(sentences, side, learn_model(sentences, side), [0])
    (two,) = segment_text(other, side, learn_model(other, side), [0])
    assert one.lines() == two.lines()


def test_dropout_is_drawn_from_what_is_hidden(sentences):
    side = side_of("bpe", dropout=0.6)
    model = learn_model(sentences, side)
    one, two = segment_text(sentences, side, model, [1, 2])
    assert one.lines() != two.lines()
    for sample in (one, two):
        spelled = ["".join(sample.sentence(s)) for s in range(len(sample))]
        assert spelled == ["".join(words) for words in sentences]


@pytest.mark.parametrize("more", ["knockout=trim-5", "dropout=0.1+dropout_weight=frequency"])
def test_pruning_counts_in_what_is_hidden(more, sentences, script, tmp_path):
    side = side_of("bpe")
    learn_model(sentences, side).write(tmp_path / "model")
    write_lines(tmp_path / "words", list(map(" ".join, sentences)))
    write_lines(tmp_path / "joined", list(map("".join, sentences)))
    pruned = []
    for corpus, spaces in (("words", "hidden"), ("joined", "no")):
        spec = str(side_of("bpe", spaces=spaces == "hidden" and HIDDEN))
        files = [f"--model={tmp_path / 'model'}", f"--corpus={tmp_path / corpus}"]
        options = [f"--spec={spec}+{more}", "--pair=p", "--side=source", "--seed=1"]
        script("prune", tmp_path, *files, *options, "--output=pruned")
        pruned.append((tmp_path / "pruned").read_bytes())
    assert pruned[0] == pruned[1]
    assert pruned[0] != (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("name", HIDING)
def test_unknown_characters_lie_on_their_words(name, sentences):
    side = side_of(name)
    model = learn_model(sentences, side)
    text = [["日本", "\U0001f600語", "の"], ["\u2585"]]
    (found,) = segment_text(text, side, model, [0])
    covered = [set() for _ in text]
    for s in range(len(text)):
        for row in range(found.offsets[s], found.offsets[s + 1]):
            covered[s].update(range(found.first[row], found.last[row] + 1))
    assert covered == [{0, 1, 2}, {0}]
