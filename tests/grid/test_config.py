"""Every mistake in a config is reported before a job: one line, with file, line, key and hint."""

import json
import re
from fractions import Fraction
from functools import reduce
from pathlib import Path

import pytest
import yaml
from config_texts import EXPERIMENTS, LEARNED, PAIR, SIDE, experiment, skip_without_its_studies
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seggrid.base.errors import InputError, InputErrors
from seggrid.grid.config import check_config, read, read_config
from seggrid.grid.grid import Grid

CONFIGS = sorted((Path(__file__).parents[2] / "config").glob("*.yaml"))
pytestmark = pytest.mark.usefixtures("folder")


def test_a_single_value_is_a_list_of_one_and_defaults_are_filled_in(check):
    text = experiment("x: {merges: 500, dropout: 1/3, sentences: [all, 2000]}")
    x = check(text).config.experiments["x"]
    assert (x.merges, x.dropout, x.sentences) == ([500], [Fraction(1, 3)], [None, 2000])
    assert (x.aggregate, x.source) == (["union", "intersection", "0.5"], None)


EXPERIMENT_MISTAKES = [
    # Keys and values that are unknown.
    ("x: {mergers: 500}", "x.mergers: unknown key 'mergers' (did you mean 'merges'?)"),
    ("x: {case: Lower}", "x.case: 'Lower' is not one of its values (did you mean 'lower'?)"),
    ("x: {case: up}", "x.case: 'up' is not one of its values (use keep, first or lower)"),
    ("x: {source: {segmenter: bpee}}", "x.source.segmenter: 'bpee' is not one of its values"),
    ("x: {pairs: q}", "x.pairs: no pair 'q' (use p)"),
    ("x: {knockout: blame}", "x.knockout: 'blame' is not a knockout (such as none, blame-0.5,"),
    # Numbers.
    ("x: {merges: -1}", "x.merges: -1 is out of range (give 0 to 10,000,000)"),
    ("x: {merges: 1.0e+6}", "x.merges: 1000000.0 is not a whole number (write 1000000)"),
    ("x: {merges: '3'}", "x.merges: '3' is not a whole number (write it without quotes: 3)"),
    ("x: {merges: 010}", "x.merges: '010' is not a whole number (write it without zeros before it: 10)"),
    ("x: {merges: 9999999999999999999999999}", "999 is out of range (give 0 to 10,000,000)"),
    ("x: {dropout: 1.1}", "x.dropout: 1.1 is out of range (give 0 to 1, such as 0.1 or 1/3)"),
    ("x: {aggregate: most}", "x.aggregate: 'most' is neither union, intersection, none nor a threshold"),
    ("x: {aggregate: [0.5, posterior-0.5], aligner: [gibbs, fast_align]}", "x.aggregate: posterior-0.5:"),
    # Lists.
    ("x: {merges: '100, 200'}", "x.merges: '100, 200' is not a whole number (write a list: [100, 200])"),
    ("x: {merges: []}", "x.merges: a list is empty (give at least 1)"),
    ("x: {merges: [[1]]}", "x.merges: a list is not a whole number (give one value)"),
    # Words that YAML interprets.
    ("x: {spaces: 'yes'}", "x.spaces: 'yes' is not yes, no or hidden (write it without quotes: yes)"),
    ("x: {case: no}", "x.case: no is not one of its values (use keep, first or lower)"),
    ("x: {merges: }", "x.merges: no value (give it one, or leave it out)"),
    ("x:", "x: no value (write x: {} for the defaults)"),
    ("{}", "experiments: nothing is named (write experiments: {bpe: {merges: 1000}})"),
    ("- merges: 1", "experiments: a list is not a mapping"),
    ("a b: {}", "experiments.a b: 'a b' cannot be a name, which is part of paths"),
    # Values that cannot run.
    ("x: {sides: source, knockout: blame-0.5}", "x.knockout: blame-0.5 needs the morphemes of the source"),
    ("x: {knockout: dropout-0.5}", "x.knockout: dropout-0.5 is a dropout rate, not a pruned model (use it"),
    ("x: {dropout: 0.1, application: replace}", "x.application: replace has no single occurrences to drop"),
    ("x: {segmenter: wordpiece, application: longest}", "x.application: wordpiece has no merges to apply"),
    ("x: {sampling: alpha-0.1}", "x.sampling: bpe cannot be sampled by alpha"),
    ("x: {segmenter: unigram, application: least, sampling: alpha-0.1}", "x.application: least has no"),
    ("x: {removal: 0.9}", "x.removal: bpe would ignore it (leave it out, or use the segmenter picky)"),
    ("x: {segmenter: picky, application: replace}", "x.application: picky has no merges to apply by replace"),
    ("x: {knockout: trim-5, application: longest}", "x.application: trim-5 counts types of the text as"),
    ("x: {segmenter: morfessor, merges: 0}", "x.merges: morfessor cannot learn 0 morphs"),
    ("x: {merges: [%s], samples: [%s]}" % ((", ".join(map(str, range(1, 900))),) * 2), "x: more than"),
    ("x: {sentences: 2000.0}", "x.sentences: 2000.0 is neither all nor a whole number from 1 to 1,000"),
    ("x: {source: {sentences: 5}}", "x.source.sentences: unknown key 'sentences'"),
    # Keys that would be ignored.
    ("x: {segmenter: words, merges: 5}", "x.merges: words would ignore it"),
    ("x: {sides: source, target: {merges: 5}}", "x.target.merges: the target stays words, since sides is"),
    ("x: {glossary: '['}", "x.glossary: '[' is not a regular expression"),
    ("x: {glossary: a, spaces: no}", "x.glossary: a glossary of words for tokens that may have parts"),
    (f"x: {{glossary: {'a' * 101}}}", "x.glossary: an expression whose spelling in paths has more than 100"),
    ("x: {segmenter: [unigram, wordmap], scoring: likelihood}", "x.scoring: unigram and wordmap would"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), EXPERIMENT_MISTAKES)
def test_mistakes_in_an_experiment(lines, text, said):
    (line,) = lines(experiment(text))
    assert re.match(r"config\.yaml:[67]: ", line)
    assert said in line


PAIR_MISTAKES = [
    ("gold: gold.txt", "pairs.p.gold: 'gold.txt' is not a mapping (write gold: {file: gold.txt})"),
    ("gold: {}", "pairs.p.gold: the key 'file' is missing (add file: …)"),
    ("gold: {file: {url: x.org/a, sha256: %s}}" % ("a" * 64), "gold.file.url: 'x.org/a' is not a URL (begin"),
    ("gold: {file: {url: 'https://[x/a', sha256: %s}}" % ("a" * 64), "'https://[x/a' is not a URL (begin"),
    ("gold: {file: {url: 'https://x.org/', sha256: %s}}" % ("a" * 64), "names no file (end it with"),
    ("gold: {file: {url: 'https://x.org/#a', sha256: %s}}" % ("a" * 64), "names no file (end it with"),
    ("gold: {file: {url: 'https://x.org/a', sha256: abc}}", "gold.file.sha256: 'abc' is not a sha256 (give"),
    ("gold: {file: https://x.org/a}", "https://x.org/a is not a path (write {url: https://x.org/a, sha256:"),
    ("gold: {file: 'a{b}.txt'}", "the path a{b}.txt has {, which Snakemake replaces (rename"),
    # Snakemake 9.27.1 would read aresults.txt, or refuse a pathvar that is not defined.
    ("gold: {file: 'a<results>.txt'}", "the path a<results>.txt has <results>, which Snakemake replaces"),
    ("gold: {file: {url: 'https://x.org/%%3Ca%%3E.gz', sha256: %s}}" % ("a" * 64), "has <a>, which Sn"),
    ('gold: {file: "a\\nb"}', "holds the character U+000A (remove it)"),
    ("gold: {file: ''}", "pairs.p.gold.file: '' is empty (give at least 1)"),
    ("gold: {format: column, file: g}", "gold.file: together with format: column, which is of the"),
    ("gold: {format: column}", "gold.format: column is the third column of a text of both sides (give"),
    ("source: {language: x}", "pairs.p.source: no text (add text, or pairs.p.text for both sides)"),
    ("source: {text: t, training: u}", "pairs.p.target: no training, which the source has (add its files)"),
    ("format: tmx", "pairs.p.format: has no effect without the key text (write it under source and"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), PAIR_MISTAKES)
def test_mistakes_in_a_pair(lines, text, said):
    keys = {"source": SIDE, "target": SIDE, "gold": "{file: gold.txt}"}
    keys.pop(text.partition(":")[0], None)
    pair = "".join(f"    {key}: {value}\n" for key, value in keys.items())
    (line,) = lines(f"pairs:\n  p:\n{pair}    {text}\n{EXPERIMENTS}")
    assert re.match(r"config\.yaml:[3-6]: ", line)
    assert said in line


EVERYTHING = """
pairs:
  p:
    source: {language: English, text: s.txt, morphemes: {file: m, format: surface}}
    target: {language: German, text: [t.txt, u.gz], format: lines}
    gold: {file: {url: "https://x.org/a", sha256: SHA256}, format: pharaoh, base: 0, swapped: no}
experiments:
  x: {merges: [5, 10], dropout: 0.1, samples: 3, aggregate: [union, 0.5], aligner: gibbs, case: lower}
  y: {segmenter: unigram, vocabulary: 90, target: {segmenter: bpe, merges: 7}, pairs: p}
  z: {sides: source, knockout: blame-0.5, replicates: 2, symmetrization: union, glossary: "a+"}
aligners: {fast_align: {tension: 4.0}, gibbs: {samplers: 2}}
morphology:
  m: {reference: {file: r}, learned: {pair: p, side: source, merges: 5}, evaluation: full}
ensemble: {e: {members: [x, z], weights: {x: 2}, threshold: 1/3}}
export: {o: {experiments: [x], links: all, parts: 100, format: gz}}
report: {title: a title, resamples: 100}
seed: 1
batch: 5
learn_merges: 500
""".replace("SHA256", "a" * 64)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
    | st.sampled_from(["lower", "bpe", "p", "x", "1/0", "1e-9999999", "010", "{a}", "posterior-"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)  # fmt: skip


def places(value, path=()):
    """The paths to all values."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_config_is_read_or_refused_with_file_and_line(folder, data):
    values = yaml.safe_load(EVERYTHING)
    for _ in range(data.draw(st.integers(0, 2))):
        *path, last = data.draw(st.sampled_from([path for path in places(values) if path]))
        inner = reduce(lambda found, key: found[key], path, values)
        inner[last] = data.draw(ODD)
    (folder / "config.yaml").write_text(yaml.safe_dump(values, sort_keys=False), "utf-8")
    try:
        check_config(read_config([folder / "config.yaml"]))
    except InputErrors as caught:
        for line in str(caught).split("\n"):
            assert re.match(r"config\.yaml:\d+: ", line), line
            assert len(line) < 1500


@pytest.mark.needs_studies("published", "votes", "morphology", "language_model", "export")
def test_the_config_that_is_edited_is_right(check):
    assert check(EVERYTHING).config.experiments.keys() == {"x", "y", "z"}


def test_files_that_hold_both_sides(lines, check):
    def pair(keys):
        return f"pairs:\n  p: {{{keys}, gold: {{file: g}}}}\n{EXPERIMENTS}"

    found = lines(pair("text: a.tmx, source: {text: b}, target: {code: de}"))
    assert [line.partition(": ")[2] for line in found] == [
        "pairs.p.source.text: together with a text of both sides (keep this one, or pairs.p.text)",
        "pairs.p.source: no code, which tmx needs (add code: en, or what it is)",
    ]
    checked = check(pair("text: [a.tsv, b.gz], source: {}, target: {}")).config.pairs["p"]
    assert checked.text == ["a.tsv", "b.gz"]
    assert checked.source.text is None


@pytest.mark.needs_studies("morphology")
def test_a_pair_without_a_target_may_have_training_text(check):
    pair = "pairs:\n  p: {source: {text: t, training: u}}\n"
    evaluation = (
        "morphology:\n  m: {reference: {file: r}, learned: {pair: p, side: source, merges: 5}}\n"
    )
    assert check(pair + evaluation).config.pairs["p"].source.training == ["u"]


TOP_MISTAKES = [
    ("aligners: {fast_align: {tension: 20}}", "aligners.fast_align.tension: 20 is out of range (give 0.1 to"),
    ("aligners: {fastalign: {}}", "aligners.fastalign: unknown key 'fastalign' (did you mean 'fast_align"),
    ("report: {title: 2024-01-02, resamples: 1}", "report.resamples: 1 is out of range (give 100 to 100,000"),
    ("__use_yte__: true", "unknown key '__use_yte__'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), TOP_MISTAKES)
def test_mistakes_elsewhere(lines, text, said):
    (line,) = lines(PAIR + EXPERIMENTS + text)
    assert line.startswith("config.yaml:7: ")
    assert said in line


MORPHOLOGY_MISTAKES = [
    ("reference: {file: r}", "morphology.m: neither tokenizer nor learned (add learned: {pair: …, side:"),
    (f"reference: {{file: r}}, {LEARNED}, tokenizer: {{merges: m}}", "m: both tokenizer and learned (kee"),
    ("reference: {file: r}, tokenizer: {tokenizer: t, merges: m}", "m.tokenizer: tokenizer holds merges"),
    ("reference: {file: r}, learned: {pair: q, side: source, merges: 5}", "m.learned.pair: no pair 'q' ("),
    (f"{LEARNED}", "morphology.m: the key 'reference' is missing (add reference: {{file: …}})"),
    (f"reference: {{file: r}}, {LEARNED}, knockout: blame-2", "m.knockout: knockout blame-2: 2 is not ab"),
    (f"reference: {{file: r}}, {LEARNED}, evaluation: [full, --output, x]", "'--output' is not an evalua"),
    (f"reference: {{file: r}}, {LEARNED}, knockout: blame-0.5-tokens", "blame-0.5-tokens needs the frequ"),
    (f"reference: {{file: r}}, {LEARNED}, knockout: dropout-0.5, write: yes", "m.write: dropout-0.5 is a"),
    ("reference: {file: r}, tokenizer: {merges: m}, knockout: trim-5", "trim-5 needs the frequencies of w"),
]  # fmt: skip


@pytest.mark.needs_studies("morphology")
@pytest.mark.parametrize(("text", "said"), MORPHOLOGY_MISTAKES)
def test_mistakes_in_morphology(lines, text, said):
    found = lines(f"{PAIR}{EXPERIMENTS}morphology:\n  m: {{{text}}}\n")
    assert found[0].startswith("config.yaml:8: ")
    assert said.replace("{{", "{").replace("}}", "}") in found[0]


@pytest.mark.needs_studies("morphology")
def test_names_of_evaluations_whose_files_would_be_one(lines):
    entry = f"{{reference: {{file: r}}, {LEARNED}}}"
    text = f"{PAIR}{EXPERIMENTS}morphology:\n  m: {entry}\n  m.figures: {entry}\n"
    assert lines(text) == [
        "config.yaml:9: morphology.m.figures: its table would be the file of the figures of m "
        "(rename one of the two)"
    ]


@pytest.mark.parametrize("name", ["1", "no", "2024-01-02", "1:30"])
def test_a_name_is_what_is_written(check, lines, name):
    config = PAIR.replace("  p:", f"  {name}:") + EXPERIMENTS
    if ":" in name:
        assert "cannot be a name" in lines(config)[0]
        return
    assert list(check(config).config.pairs) == [name]
    quoted = f'experiments: {{x: {{pairs: "{name}"}}}}\n'
    assert check(config.replace(EXPERIMENTS, quoted)).config.experiments["x"].pairs == [name]


def test_all_mistakes_are_told_by_file_and_line(lines):
    first = """\
pairs:
  p:
    source: text.txt
    target: {language: English, text: t.txt}
    gold: {file: g.txt, swapped: "no"}
experiments:
  x: {mergers: 5}
"""
    found = lines(first, "seed: x\n", overrides=["batch=x"])
    assert [line.partition(" (")[0] for line in found] == [
        "config.yaml:3: pairs.p.source: 'text.txt' is not a mapping",
        "config.yaml:5: pairs.p.gold.swapped: 'no' is not yes or no",
        "config.yaml:7: experiments.x.mergers: unknown key 'mergers'",
        "over1.yaml:1: seed: 'x' is not a whole number",
        "--config batch: batch: 'x' is not a whole number",
    ]


def test_wrong_experiments_are_told_together_whatever_is_wrong_with_them(lines):
    """A value that is none of its axis, and one that another one contradicts."""
    config = experiment(
        "a: {merges: ten}\nb: {segmenter: characters, dropout: 0.1}\nc: {merges: 5}"
    )
    told = [line.partition(" (")[0].partition(": ")[2] for line in lines(config)]
    assert told == [
        "experiments.a.merges: 'ten' is not a whole number",
        "experiments.b.dropout: characters would ignore it",
    ]


def test_a_mistake_in_one_entry_raises_no_others(lines):
    config = experiment("x: {dropout_kind: merg, application: replace, dropout: 0.1}")
    assert len(lines(config)) == 1
    broken_pair = PAIR.replace("gold: {file: gold.txt}", "gold: 3")
    assert len(lines(broken_pair + "experiments: {x: {pairs: p}}")) == 1


REMARKS = [
    ("x: {segmenter: [bpe, unigram], dropout: 0.1}", ["x.dropout: unigram would ignore it"]),
    ("x: {segmenter: wordpiece, dropout: 0, spaces: yes, knockout: none}", []),
    ("x: {samples: 5}", ["x.samples: has no effect without dropout or sampling"]),
    ("x: {aggregate: 0.5}", ["x.aggregate: has no effect without dropout or sampling"]),
    ("x: {aligner: gibbs, aggregate: [0.5, union, posterior-0.5]}",
        ["x.aggregate: 0.5, union: has no effect without dropout or sampling"]),
    ("x: {dropout_weight: rank}", ["x.dropout_weight: has no effect without dropout"]),
    ("x: {source: {dropout_kind: merge}}",
        ["x.source.dropout_kind: has no effect without dropout"]),
    ("x: {aligner: gibbs, aggregate: posterior-0.5, symmetrization: [union, intersect]}",
        ["x.symmetrization: has no effect on posterior-0.5, which joins directions by itself"]),
    ("x: {aligner: fast_align, replicates: 3}",
        ["x.replicates: has no effect: fast_align gives the same links again"]),
    ("x: {aligner: [gibbs, embeddings], symmetrization: union}",
        ["x.symmetrization: embeddings would ignore it: its links have no direction"]),
    ("x: {merges: 5, source: {merges: 6}, target: {merges: 7}}",
        ["x.merges: has no effect: source and target each set their own"]),
    ("x: {merges: 5, source: {vocabulary: 600}, target: {vocabulary: 700}}",
        ["x.merges: has no effect: source and target each set their own"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), REMARKS)
def test_remarks(check, text, said):
    remarks = check(experiment(text)).remarks
    assert list(remarks) == [f"config.yaml:7: experiments.{line}" for line in said]


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_the_configs_that_come_with_the_project_are_right(file):
    # NAME-own.yaml adds pairs to NAME.yaml, NAME-knockout.yaml experiments.
    before = file.with_stem(re.sub("-(own|knockout)$", "", file.stem))
    source = read_config([file] if before == file else [before, file])
    skip_without_its_studies(source.plain())
    grid = Grid(source)
    assert grid.experiments or grid.config.language_models
    # Jobs get the values as our reader read them.
    assert check_config(json.loads(json.dumps(source.plain()))).config == grid.config


def test_remarks_on_what_nothing_uses(check):
    second = PAIR.partition("\n")[2].replace("  p:", "  q:")
    text = PAIR + second + "experiments: {x: {pairs: p}}\naligners: {eflomal: {model: 1}}\n"
    assert check(text).remarks == (
        "config.yaml:6: pairs.q: nothing uses it",
        "config.yaml:11: aligners.eflomal: nothing uses it",
    )


def test_dropout_by_blame_needs_morphemes(check, lines):
    text = PAIR + "experiments: {x: {dropout: 0.1, dropout_weight: WEIGHT}}\n"
    assert check(text.replace("WEIGHT", "rank")).config
    one, other = lines(text.replace("WEIGHT", "[blame, rank]"))
    assert "x.dropout_weight: blame needs the morphemes of the source side of p" in one
    assert "of the target side" in other


PLAIN = {"source": {"text": "a"}, "target": {"text": "b"}}


@pytest.mark.parametrize(
    ("section", "entry"),
    [
        ("pairs", PLAIN),
        pytest.param("ensemble", {"members": ["x", "y"]}, marks=pytest.mark.needs_studies("votes")),
        pytest.param("export", {"experiments": ["x"]}, marks=pytest.mark.needs_studies("export")),
    ],
)
def test_names_that_differ_in_capitals_alone_are_refused(section, entry):
    """On macOS and Windows, their files are the same."""
    values = {"pairs": {"p": PLAIN}, "experiments": {"x": {}, "y": {"merges": 5}}}
    values[section] = {**values.get(section, {}), "One": entry, "one": entry}
    with pytest.raises(InputError) as caught:
        check_config(values)
    assert f"{section}.one: differs from One in capitals alone" in str(caught.value)


def test_similar_names_are_looked_for_only_for_mistakes_that_are_shown(monkeypatch):
    asked = []
    monkeypatch.setattr(read, "suggestion", lambda name, known: asked.append(name))
    unknown = [f"name{number}" for number in range(2000)]
    with pytest.raises(InputError, match="and 1,950 more mistakes"):
        check_config({"pairs": {"p": PLAIN}, "experiments": {"x": {"pairs": unknown}}})
    assert len(asked) == read.MAX_MISTAKES
