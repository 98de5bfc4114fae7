"""The language models of a config: inherited keys, and refusals."""

import copy

import pytest

from seggrid.base.errors import InputErrors
from seggrid.grid.config import check_config
from seggrid.studies.language_model.config import each_seed, lineage, settings_of_model

CONFIG = {
    "pairs": {
        "p": {
            "source": {"text": "eng.txt", "morphemes": {"file": "m.tsv"}},
            "target": {"text": "deu.txt"},
            "gold": {"file": "gold.txt"},
        }
    },
    "experiments": {"words": {"segmenter": "words"}},
    "language_models": {
        "bpe": {"pair": "p", "segmentation": {"merges": 500}, "steps": 100, "size": "small"},
        "swap": {"continues": "bpe", "segmentation": {"knockout": "blame-0.5"}, "steps": 0},
        "more": {"continues": "swap", "steps": 17, "versus": "bpe"},
    },
}


def checked(**changed):
    """Check the config with changed language models (None removes one); return their keys, or the
    mistakes."""
    config = copy.deepcopy(CONFIG)
    for name, entry in changed.items():
        config["language_models"][name] = {**config["language_models"].get(name, {}), **entry}
    return check_config(config).config.language_models


def test_what_is_left_out_is_that_of_the_model_that_is_continued():
    entries = checked()
    assert list(lineage(entries, "more")) == ["more", "swap", "bpe"]
    bpe, swap, more = (settings_of_model(entries, name, 7) for name in ("bpe", "swap", "more"))
    assert (more.size, more.pair, more.side, more.seed, more.steps) == (
        "small",
        "p",
        "source",
        7,
        17,
    )
    assert bpe.segmentation.knockout == "none"
    assert swap.segmentation == more.segmentation
    assert (more.segmentation.merges, more.segmentation.knockout) == (500, "blame-0.5")
    assert bpe.learning_rate == 0.0005
    assert more.versus == ["bpe"]
    own = settings_of_model(
        checked(more={"learning_rate": 0.01, "segmentation": {"merges": 200}}), "more"
    )
    assert (own.learning_rate, own.segmentation.merges) == (0.01, 200)
    assert own.segmentation.knockout == "blame-0.5"


def test_a_model_with_several_seeds_is_that_many_models():
    assert list(each_seed(checked(), 7)) == ["bpe", "swap", "more"]
    entries = each_seed(checked(bpe={"seeds": 2}, swap={"seed": 30}), 7)
    assert list(entries) == [f"{name}-{k}" for name in ("bpe", "swap", "more") for k in (1, 2)]
    plans = {name: settings_of_model(entries, name, 7) for name in entries}
    assert [own.seed for own in plans.values()] == [7, 8, 30, 31, 30, 31]
    assert plans["more-2"].continues == "swap-2"
    assert plans["more-2"].versus == ["bpe-2"]
    assert plans["more-2"].size == "small", "inherited from the model of the same seed"


def test_probes_and_tasks_are_inherited_unless_others_are_given():
    order = {"order": {"make": "word_order"}}
    entries = checked(bpe={"probes": order}, more={"probes": {}})
    bpe, swap, more = (
        settings_of_model(entries, name, 1).probes for name in ("bpe", "swap", "more")
    )
    assert list(bpe) == list(swap) == ["order"]
    assert bpe["order"].make == "word_order"
    assert more == {}
    task = {"ner": {"kind": "words", "train": "a", "test": "b", "seeds": 2}}
    entries = checked(swap={"tasks": task})
    bpe, swap, more = (
        settings_of_model(entries, name, 1).tasks for name in ("bpe", "swap", "more")
    )
    assert bpe == {}
    assert (swap["ner"].seeds, more["ner"].seeds) == (2, 2)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"swap": {"continues": "bqe"}}, "swap.continues: no language model 'bqe' (did you mean 'bpe'?)"),
        ({"bpe": {"continues": "more"}}, "continues: in a circle: bpe → more → swap → bpe"),
        ({"bpe": {"continues": "bpe"}}, "bpe.continues: itself (leave it out)"),
        ({"more": {"versus": ["bpe", "x"]}}, "more.versus: no language model 'x'"),
        ({"bpe": {"pair": "q"}}, "bpe.pair: no pair 'q' (use p)"),
        ({"new": {"steps": 1}}, "new: no pair on whose text its segmenter could learn (add pair: p)"),
        ({"swap": {"size": "tiny"}}, "swap.size: tiny, where bpe, which it continues, has small"),
        ({"swap": {"sequence": 64}}, "swap.sequence: 64, where bpe, which it continues, has 128"),
        ({"swap": {"seeds": 2}}, "swap.seeds: 2, where bpe, which it continues, has 1 (leave it out)"),
        ({"bpe": {"seeds": 17}, "bpe-17": {"continues": "bpe", "steps": 1}},
         "bpe.seeds: bpe-17, the name of one of them, is another model's (rename one of the two)"),
        ({"new": {"steps": 1, "pair": "p", "seeds": 3, "versus": "bpe"}},
         "new.versus: bpe has seeds: 1, new seeds: 3 (give both as many, or leave out bpe)"),
        ({"swap": {"test": 20}}, "swap.test: 20, where bpe, which it continues, has 500"),
        ({"more": {"text": "more.txt"}, "new": {"continues": "more", "steps": 1, "text": "p.txt", "test": 20},
          "swap": {"text": "p.txt"}},
         "new.test: 20, where swap, which it continues, has 500"),
        ({"new": {"steps": 1, "pair": "p", "sequence": 64, "versus": "bpe"}},
         "new.versus: bpe cuts sentences at 128 tokens, new at 64 (give both the same sequence"),
        ({"more": {"segmentation": {"merges": 600}}},
         "more.segmentation.merges: 600, where bpe has ids for the types of 500 (give 500 or fewer)"),
        ({"more": {"segmentation": {"vocabulary": 600}}},
         "more.segmentation.vocabulary: bpe, whose ids it continues, gives merges (give merges or leave it"),
        ({"swap": {"segmentation": {"segmenter": "wordpiece"}}},
         "swap.segmentation.segmenter: wordpiece has other types than bpe, whose ids it continues"),
        ({"swap": {"segmentation": {"case": "lower"}}},
         "swap.segmentation.case: lower, where bpe, which it continues, has keep"),
        ({"new": {"steps": 1, "pair": "p", "test": 20, "versus": "bpe"}},
         "new.versus: bpe is tested on another text: another test"),
        ({"new": {"steps": 1, "pair": "p", "segmentation": {"case": "lower"}, "versus": "bpe"}},
         "new.versus: bpe is tested on another text: another case"),
        ({"swap": {"side": "target"}}, "swap.segmentation.knockout: blame-0.5 needs the morphemes"),
        ({"bpe": {"segmentation": {"segmenter": "words", "merges": 5}}},
         "bpe.segmentation.merges: words would ignore it"),
        ({"bpe": {"segmentation": {"dropout": 0.1}}}, "bpe.segmentation.dropout: unknown key 'dropout'"),
        ({"bpe": {"segmentation": {"segmenter": "lexical"}, "text": "more.txt"}},
         "bpe.text: lexical looks at parts of speech, which another text has none of"),
        ({"bpe": {"segmentation": {"segmenter": "external", "sampling": "alpha-0.1"}}},
         "bpe.segmentation.sampling: a model has one segmentation"),
        ({"bpe": {"format": "tsv"}}, "bpe.format: without a text"),
        ({"bpe": {"tasks": {"ner": {"kind": "words", "train": "a"}}}},
         "ner: no file of test examples (add test: …)"),
        ({"bpe": {"tasks": {"ner": {"kind": "words", "train": "a", "test": "b", "steps": 9, "epochs": 3}}}},
         "ner: both steps and epochs (leave one of them out)"),
        ({"bpe": {"tasks": {"ner": {"kind": "words", "train": "a", "test": "b", "batch": 9, "search": 3}}}},
         "ner: both batch and search (leave one of them out)"),
        ({"bpe": {"tasks": {"x": {"kind": "sentences", "train": "a", "test": "b", "new_words": True}}}},
         "x: new_words is for labels of words, not of sentences (leave it out)"),
        ({"bpe": {"tasks": {"pos": {"kind": "pos"}}}},
         "pos: no tagger of parts of speech for a text whose language is not given (set tasks: {})"),
        ({"bpe": {"tasks": {"pos": {"kind": "pos", "train": "a"}}}},
         "pos: pos takes the model's own text, not files (leave out train and test, or set kind: words)"),
        ({"bpe": {"tasks": {"pos": {"kind": "pos"}}, "text": "more.txt"}},
         "pos: the tagger tags only texts of pairs"),
        ({"bpe": {"tasks": {"ner": {"kind": "words", "train": "a", "test": "b"}},
                  "segmentation": {"spaces": False}}},
         "ner: a token of several words cannot have the label of each"),
        ({"bpe": {"tasks": {"nli": {"kind": "sentence_pairs", "train": "a", "test": "b"}},
                  "segmentation": {"segmenter": "lexical"}}},
         "nli: lexical looks at parts of speech"),
        ({"bpe": {"probes": {"a": {}}}}, "bpe.probes.a: neither file nor make (add make: word_order)"),
        ({"swap": {"probes": {"a": {"file": "a.tsv", "make": "word_order"}}}},
         "swap.probes.a: both file and make (keep one of them)"),
        ({"bpe": {"segmentation": {"segmenter": "lexical"}, "probes": {"a": {"make": "word_order"}}}},
         "bpe.probes: probes: lexical looks at parts of speech, which another text has none of"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_line(changed, told):
    with pytest.raises(InputErrors) as error:
        checked(**changed)
    lines = str(error.value).splitlines()
    assert any(told in line for line in lines), lines
