"""Every mistake in a config is reported before a job: one line, with file, line, key and hint."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from config_texts import EXPERIMENTS, LEARNED, PAIR, SIDE, experiment

from seggrid.errors import InputError
from seggrid.grid.config import check_config, findings, read_config
from seggrid.grid.grid import Grid

CONFIGS = sorted((Path(__file__).parents[2] / "config").glob("*.yaml"))
pytestmark = pytest.mark.usefixtures("folder")


def test_a_single_value_is_a_list_of_one(check):
    x = check(experiment("x: {merges: 500, dropout: 1/3, case: first}")).config.experiments["x"]
    assert (x.merges, x.dropout, x.case) == ([500], [Fraction(1, 3)], ["first"])


def test_defaults_are_filled_in(check):
    config = check(PAIR + EXPERIMENTS).config
    assert config.experiments["x"].aggregate == ["union", "intersection", "0.5"]
    assert config.experiments["x"].source is None
    assert config.pairs["p"].source.morphemes is None
    assert config.aligners.options("fast_align")["tension"] == 4.0
    assert config.report.title == "seggrid"


EXPERIMENT_MISTAKES = [
    # Keys and values that are unknown.
    ("x: {mergers: 500}", "x.mergers: unknown key 'mergers' (did you mean 'merges'?)"),
    ("x: {aggregation: 0.5}", "x.aggregation: unknown key 'aggregation' (did you mean 'aggregate'?)"),
    ("x: {case: Lower}", "x.case: 'Lower' is not one of its values (did you mean 'lower'?)"),
    ("x: {case: up}", "x.case: 'up' is not one of its values (use keep, first or lower)"),
    ("x: {segmenter: bpee}", "x.segmenter: 'bpee' is not one of its values (did you mean 'bpe'?)"),
    ("x: {source: {segmenter: bpee}}", "x.source.segmenter: 'bpee' is not one of its values"),
    ("x: {aligner: fastalign}", "x.aligner: 'fastalign' is not one of its values (did you mean 'fast_al"),
    ("x: {pairs: q}", "x.pairs: no pair 'q' (use p)"),
    ("x: {pairs: P}", "x.pairs: no pair 'P' (did you mean 'p'?)"),
    ("x: {knockout: blame}", "x.knockout: 'blame' is not a knockout (such as none, blame-0.5,"),
    # Numbers.
    ("x: {merges: -1}", "x.merges: -1 is out of range (give 0 to 10000000)"),
    ("x: {merges: 1.0e+6}", "x.merges: 1.0e+6 is not a whole number (write 1000000)"),
    ("x: {merges: 1000000.0}", "x.merges: 1000000.0 is not a whole number (write 1000000)"),
    ("x: {merges: 1.5}", "x.merges: 1.5 is not a whole number (give 0 to 10000000)"),
    ("x: {merges: .nan}", "x.merges: .nan is not a whole number"),
    ("x: {merges: .inf}", "x.merges: .inf is not a whole number"),
    ("x: {merges: '3'}", "x.merges: '3' is not a whole number (write it without quotes: 3)"),
    ("x: {merges: yes}", "x.merges: yes is not a whole number"),
    ("x: {merges: 010}", "x.merges: '010' is not a whole number (write 10)"),
    ("x: {merges: 1:30}", "x.merges: '1:30' is not a whole number"),
    ("x: {merges: 2024-01-02}", "x.merges: '2024-01-02' is not a whole number"),
    ("x: {merges: 9999999999999999999999999}", "7: a number of 25 digits (quote it if it is text)"),
    (f"x: {{merges: {'9' * 5000}}}", "a number of 5000 digits"),
    ("x: {merges: 99999999999999999}", "x.merges: 99999999999999999 is out of range"),
    ("x: {samples: 3.0}", "x.samples: 3.0 is not a whole number (write 3)"),
    ("x: {samples: 1000000000}", "x.samples: 1000000000 is out of range (give 1 to 100000)"),
    ("x: {replicates: 0}", "x.replicates: 0 is out of range (give 1 to 1000)"),
    ("x: {dropout: 1.1}", "x.dropout: 1.1 is out of range (give 0 to 1, such as 0.1 or 1/3)"),
    ("x: {dropout: -0.1}", "x.dropout: -0.1 is not a number of at most 12 digits (write it as 0.5 or"),
    ("x: {dropout: .nan}", "x.dropout: nan is not a number"),
    ("x: {dropout: 1/0}", "x.dropout: '1/0' is not a number"),
    ("x: {dropout: yes}", "x.dropout: yes is not a number (give 0 to 1"),
    ("x: {dropout: 1e-9999999}", "7: 1e-9999999 is too large or too small for a number (quote it if it"),
    ("x: {dropout: '1e-9999999'}", "x.dropout: '1e-9999999' is not a number"),
    ("x: {aggregate: 1.5}", "x.aggregate: 1.5 is neither union, intersection nor a threshold"),
    ("x: {aggregate: most}", "x.aggregate: 'most' is neither union, intersection nor a threshold"),
    ("x: {aggregate: '1/0'}", "x.aggregate: '1/0' is neither union"),
    ("x: {aggregate: posterior-2}", "x.aggregate: 'posterior-2' is neither union, intersection nor a"),
    ("x: {aggregate: posterior-}", "x.aggregate: 'posterior-' is neither union, intersection nor a"),
    (
        "x: {aggregate: [0.5, posterior-0.5], aligner: [gibbs, fast_align]}",
        "x.aggregate: posterior-0.5: fast_align gives no probabilities of links (use the aligner "
        "gibbs or embeddings, or an aggregate that counts votes, such as 0.5)",
    ),
    # Lists.
    ("x: {merges: '100, 200'}", "x.merges: '100, 200' is not a whole number (write a list: [100, 200])"),
    ("x: {merges: 100 200}", "x.merges: '100 200' is not a whole number (write a list: [100, 200])"),
    ("x: {merges: '[1, 2]'}", "x.merges: '[1, 2]' is not a whole number (write a list: [1, 2])"),
    ("x: {segmenter: 'words, bpe'}", "x.segmenter: 'words, bpe' is not one of its values (write a list: ["),
    ("x: {merges: []}", "x.merges: an empty list (give at least one value)"),
    ("x: {merges: [[1]]}", "x.merges: a list is not a whole number (give one value)"),
    ("x: {merges: {a: 1}}", "x.merges: a mapping is not a whole number"),
    # Words that YAML interprets.
    ("x: {spaces: 'yes'}", "x.spaces: 'yes' is not yes, no or hidden (write it without quotes: yes)"),
    ("x: {spaces: 1}", "x.spaces: 1 is not yes, no or hidden (write yes)"),
    ("x: {case: no}", "x.case: no is not one of its values (use keep, first or lower)"),
    ("x: {pairs: no}", "x.pairs: no is not text (quote it: \"no\")"),
    ("x: {pairs: 1}", "x.pairs: 1 is not text (quote it: \"1\")"),
    ("x: {merges: }", "x.merges: no value (give it one, or leave it out)"),
    ("x:", "x: no value (write x: {} for the defaults)"),
    ("x: 5", "x: 5 is not a mapping"),
    ("{}", "experiments: nothing is named (write experiments: {bpe: {merges: 1000}})"),
    ("- merges: 1", "experiments: a list is not a mapping"),
    ("a b: {}", "experiments.a b: 'a b' cannot be a name, which is part of paths (use letters, digits, "
        "'_', '-' and '.', such as a-b)"),
    ('"x\\n": {}', "cannot be a name, which is part of paths"),
    # Values that cannot run.
    ("x: {sides: source, knockout: blame-0.5}", "x.knockout: blame-0.5 needs the morphemes of the source "
        "side of p (add pairs.p.source.morphemes)"),
    ("x: {knockout: dropout-0.5}", "x.knockout: dropout-0.5 is a dropout rate, not a pruned model (use it"),
    ("x: {dropout: 0.1, application: replace}", "x.application: replace has no single occurrences to "
        "drop (use dropout_kind: merge, or application: rank)"),
    ("x: {dropout: 0.1, application: left}", "x.application: left has no single occurrences to "
        "drop (use dropout_kind: merge, or application: rank)"),
    ("x: {segmenter: wordpiece, application: longest}", "x.application: wordpiece has no merges to apply by "
        "longest (use left, right, flota or least)"),
    ("x: {segmenter: unigram, application: least, sampling: alpha-0.1}", "x.application: least has no "
        "probabilities to sample by (leave it or sampling out)"),
    ("x: {removal: 0.9}", "x.removal: bpe would ignore it (leave it out, or use the segmenter picky)"),
    ("x: {segmenter: picky, application: replace}", "x.application: picky has no merges to apply by replace "
        "(use left, right, flota or least)"),
    ("x: {segmenter: superbpe, spaces: no}", "x.spaces: superbpe would ignore it (leave it out, or use the "
        "segmenter "),
    ("x: {segmenter: picky, dropout: 0.1}", "x.dropout: picky would ignore it (leave it out, or use the "
        "segmenter "),
    ("x: {supermerges: 500}", "x.supermerges: unknown key 'supermerges' (use segmenter: superbpe with a "
        "transition, or segmenter: boundless)"),
    ("x: {balance: parity, joint: yes}", "x.balance: unknown key 'balance' (use segmenter: parity, which "
        "always learns on both texts)"),
    ("x: {knockout: trim-5, application: longest}", "x.application: trim-5 counts types of the text as "
        "merged by rank (use application: rank, or another knockout)"),
    ("x: {segmenter: morfessor, merges: 0}", "x.merges: morfessor cannot learn 0 morphs (give a number "
        "from 1 on)"),
    ("x: {merges: [%s], samples: [%s]}" % ((", ".join(map(str, range(1, 900))),) * 2),
        "x: more than 200,000 combinations of values (give fewer values an axis)"),
    # Keys that would be ignored.
    ("x: {segmenter: unigram, dropout: 0.1}", "x.dropout: unigram would ignore it (leave it out, or use "
        "the segmenter bpe or parity or sentencepiece_bpe or external)"),
    ("x: {segmenter: wordmap, spaces: no}", "x.spaces: wordmap would ignore it (leave it out, or use "
        "the segmenter characters or bpe or wordpiece or picky or parity or unigram or "
        "sentencepiece_bpe or sentencepiece_unigram)"),
    ("x: {segmenter: words, merges: 5}", "x.merges: words would ignore it"),
    ("x: {source: {segmenter: words, merges: 5}}", "x.source.merges: words would ignore it"),
    ("x: {sides: source, target: {merges: 5}}", "x.target.merges: the target stays words, since sides is "
        "source (leave it out, or use sides: both)"),
    ("x: {sides: source, target: {segmenter: bpe}}", "x.target.segmenter: the target stays words"),
    ("x: {glossary: '['}", "x.glossary: '[' is not a regular expression"),
    ("x: {glossary: a, spaces: no}", "x.glossary: a glossary of words for tokens that may have parts"),
    (f"x: {{glossary: {'a' * 101}}}", "x.glossary: an expression whose spelling in paths has more than 100"),
    ("x: {segmenter: [unigram, wordmap], scoring: likelihood}", "x.scoring: unigram and wordmap would "
        "ignore it"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), EXPERIMENT_MISTAKES)
def test_mistakes_in_an_experiment(lines, text, said):
    (line,) = lines(experiment(text))
    assert re.match(r"config\.yaml:[67]: ", line)
    assert said in line


PAIR_MISTAKES = [
    ("gold: gold.txt", "pairs.p.gold: 'gold.txt' is not a mapping (write gold: {file: gold.txt})"),
    ("gold: {}", "pairs.p.gold: the key 'file' is missing (add file: …)"),
    ("gold: {file: {url: 'https://x.org/a'}}", "gold.file: the key 'sha256' is missing (add sha256: …)"),
    ("gold: {file: {path: a, url: 'https://x.org/a'}}", "gold.file: the key 'sha256' is missing"),
    ("gold: {file: {url: x.org/a, sha256: %s}}" % ("a" * 64), "gold.file.url: 'x.org/a' is not a URL (begin"),
    ("gold: {file: {url: 'https://', sha256: %s}}" % ("a" * 64), "gold.file.url: 'https://' is not a URL"),
    ("gold: {file: {url: 'http://[', sha256: %s}}" % ("a" * 64), "gold.file.url: 'http://[' is not a URL"),
    ("gold: {file: {url: 'https://x.org/', sha256: %s}}" % ("a" * 64), "names no file (end it with"),
    ("gold: {file: {url: 'https://x.org/a', sha256: abc}}", "gold.file.sha256: 'abc' is not a sha256 (give"),
    ("gold: {file: {url: 'https://x.org/a', sha256: \"%s\\n\"}}" % ("a" * 64), "is not a sha256"),
    ("gold: {file: {url: 'https://x.org/%%7Bx%%7D', sha256: %s}}" % ("a" * 64), "has braces"),
    ("gold: {file: https://x.org/a}", "https://x.org/a is not a path (write {url: https://x.org/a, sha256:"),
    ("gold: {file: 'a{b}.txt'}", "the path a{b}.txt has braces, which Snakemake takes for wildcards (re"),
    ('gold: {file: "a\\nb"}', "holds the character U+000A (remove it)"),
    ("gold: {file: ''}", "pairs.p.gold.file: an empty text"),
    ("gold: {file: 7}", "pairs.p.gold.file: 7 is not text (quote it: \"7\")"),
    ("gold: {file: [a]}", "pairs.p.gold.file: a list is not text (give one value)"),
    ("gold: {file: g, swapped: 'yes'}", "gold.swapped: 'yes' is not yes or no (write it without quotes:"),
    ("gold: {file: g, base: yes}", "gold.base: yes is not a whole number (give 0 to 1)"),
    ("gold: {file: g, base: 2}", "gold.base: 2 is out of range (give 0 to 1)"),
    ("gold: {file: g, format: Pharaoh}", "gold.format: 'Pharaoh' is not one of its values (did you mean"),
    ("gold: {format: column, file: g}", "gold.file: together with format: column, which is of the"),
    ("gold: {format: column}", "gold.format: column is the third column of a text of both sides (give"),
    ("source: text.txt", "pairs.p.source: 'text.txt' is not a mapping (write source: {text: text.txt})"),
    ("source: {language: no, text: t}", "pairs.p.source.language: no is not text (quote it: \"no\")"),
    ("source: {language: x}", "pairs.p.source: no text (add text, or pairs.p.text for both sides)"),
    ("source: {text: t, training: u}", "pairs.p.target: no training, which the source has (add its files)"),
    ("source: {text: []}", "pairs.p.source.text: an empty list (give at least one value)"),
    ("format: tmx", "pairs.p.format: has no effect without the key text (write it under source and"),
    ("control_characters: keep", "control_characters: 'keep' is not one of its values"),
    ("goldd: {}", "pairs.p.goldd: unknown key 'goldd' (did you mean 'gold'?)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), PAIR_MISTAKES)
def test_mistakes_in_a_pair(lines, text, said):
    keys = {"source": SIDE, "target": SIDE, "gold": "{file: gold.txt}"}
    keys.pop(text.partition(":")[0], None)
    pair = "".join(f"    {key}: {value}\n" for key, value in keys.items())
    (line,) = lines(f"pairs:\n  p:\n{pair}    {text}\n{EXPERIMENTS}")
    assert re.match(r"config\.yaml:[3-6]: ", line)
    assert said in line


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


TOP_MISTAKES = [
    ("seed: 1.0", "config.yaml:7: seed: 1.0 is not a whole number (write 1)"),
    ("seed: -1", "seed: -1 is out of range (give 0 to 4294967295)"),
    ("batch: 0", "batch: 0 is out of range (give 1 to 100000)"),
    ("learn_merges: 1e5", "learn_merges: 1e5 is not a whole number (write 100000)"),
    ("aligners: {fast_align: {tension: 20}}", "aligners.fast_align.tension: 20 is out of range (give 0.1"),
    ("aligners: {fast_align: {alpha: 0}}", "aligners.fast_align.alpha: 0 is out of range (give a number"),
    ("aligners: {fast_align: {p0: 1}}", "aligners.fast_align.p0: 1 is out of range (give a number from 0"),
    ("aligners: {fast_align: {p0: .nan}}", "aligners.fast_align.p0: .nan is not a finite number"),
    ("aligners: {fast_align: {iterations: 0}}", "iterations: 0 is out of range (give 1 to 1000)"),
    ("aligners: {fast_align: {p_0: 1}}", "unknown key 'p_0' (did you mean 'p0'?)"),
    ("aligners: {fastalign: {}}", "aligners.fastalign: unknown key 'fastalign' (did you mean 'fast_align"),
    ("aligners: {eflomal: {model: 4}}", "aligners.eflomal.model: 4 is out of range (give 1 to 3)"),
    ("published: {a: b}", "published: a mapping is not text"),
    ("published: 3", "published: 3 is not text (quote it: \"3\")"),
    ("report: {title: [a]}", "report.title: a list is not text (give one value)"),
    ("report: {title: 2024-01-02, resamples: 1}", "report.resamples: 1 is out of range (give 100 to 1000"),
    ("report: title", "report: 'title' is not a mapping (write report: {title: title})"),
    ("mirror: [a]", "mirror: a list is not text (give one value)"),
    ("downloads: ''", "downloads: an empty text"),
    ("repport: {}", "repport: unknown key 'repport' (did you mean 'report'?)"),
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
    ("reference: {file: r}, tokenizer: {}", "m.tokenizer: no file of merges and no tokenizer.json (give"),
    ("reference: {file: r}, tokenizer: {vocabulary: v}", "m.tokenizer: no file of merges and no tokenize"),
    ("reference: {file: r}, tokenizer: {tokenizer: t, merges: m}", "m.tokenizer: tokenizer holds merges"),
    ("reference: {file: r}, tokenizer: t.json", "m.tokenizer: 't.json' is not a mapping (write tokenizer"),
    ("reference: {file: r}, learned: {pair: q, side: source, merges: 5}", "m.learned.pair: no pair 'q' ("),
    ("reference: {file: r}, learned: {pair: p, side: left, merges: 5}", "side: 'left' is not one of its"),
    (f"{LEARNED}", "morphology.m: the key 'reference' is missing (add reference: {{file: …}})"),
    (f"reference: r.tsv, {LEARNED}", "m.reference: 'r.tsv' is not a mapping (write reference: {file: r.t"),
    (f"reference: {{file: r}}, {LEARNED}, knockout: blame-2", "m.knockout: knockout blame-2: 2 is not ab"),
    (f"reference: {{file: r}}, {LEARNED}, knockout: $(touch x)none", "knockout: '$(touch x)none' is not"),
    (f"reference: {{file: r}}, {LEARNED}, evaluation: [full, --output, x]", "'--output' is not an evalua"),
    (f"reference: {{file: r}}, {LEARNED}, evaluation: holdout-1.5", "m.evaluation: evaluation holdout-1."),
    (f"reference: {{file: r}}, {LEARNED}, knockout: blame-0.5-tokens", "blame-0.5-tokens needs the frequ"),
    ("reference: {file: r}, tokenizer: {merges: m}, knockout: trim-5", "trim-5 needs the frequencies of w"),
    (f"reference: {{file: r}}, {LEARNED}, dropout: 2", "m.dropout: 2 is out of range"),
    (f"reference: {{file: r}}, {LEARNED}, repeats: 0", "m.repeats: 0 is out of range (give 1 to 10000)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), MORPHOLOGY_MISTAKES)
def test_mistakes_in_morphology(lines, text, said):
    found = lines(f"{PAIR}{EXPERIMENTS}morphology:\n  m: {{{text}}}\n")
    assert found[0].startswith("config.yaml:8: ")
    assert said.replace("{{", "{").replace("}}", "}") in found[0]


def test_names_of_evaluations_whose_files_would_be_one(lines):
    entry = f"{{reference: {{file: r}}, {LEARNED}}}"
    text = f"{PAIR}{EXPERIMENTS}morphology:\n  m: {entry}\n  m.figures: {entry}\n"
    assert lines(text) == [
        "config.yaml:9: morphology.m.figures: its table would be the file of the figures of m "
        "(rename one of the two)"
    ]


def test_a_pair_name_with_a_slash(lines):
    (line,) = lines(PAIR.replace("  p:", "  a/b:") + EXPERIMENTS)
    assert line == (
        "config.yaml:2: pairs.a/b: 'a/b' cannot be a name, which is part of paths "
        "(use letters, digits, '_', '-' and '.', such as a-b)"
    )


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
  y: {pairs: q}
  y: {merges: 6}
"""
    found = lines(first, "seed: x\n", overrides=["batch=x"])
    assert [line.rpartition(" (")[0] for line in found] == [
        "config.yaml:3: pairs.p.source: 'text.txt' is not a mapping",
        "config.yaml:5: pairs.p.gold.swapped: 'no' is not yes or no",
        "config.yaml:7: experiments.x.mergers: unknown key 'mergers'",
        "config.yaml:8: experiments.y.pairs: no pair 'q'",
        "config.yaml:9: the key 'y' a second time, after line 8",
        "over1.yaml:1: seed: 'x' is not a whole number",
        "--config batch: batch: 'x' is not a whole number",
    ]


def test_a_mistake_in_one_entry_raises_no_others(lines):
    config = experiment("x: {dropout_kind: merg, application: replace, dropout: 0.1}")
    assert len(lines(config)) == 1
    broken_pair = PAIR.replace("gold: {file: gold.txt}", "gold: 3")
    assert len(lines(broken_pair + "experiments: {x: {pairs: p}}")) == 1


def test_one_url_with_two_hashes(lines):
    gold = "{file: {url: 'https://x.org/gold', sha256: %s}}"
    pair = PAIR.replace("{file: gold.txt}", gold % ("a" * 64))
    second = PAIR.partition("\n")[2].replace("  p:", "  q:")
    second = second.replace("{file: gold.txt}", gold % ("b" * 64))
    (line,) = lines(pair + second + EXPERIMENTS)
    assert line == (
        "config.yaml:9: pairs.q.gold.file: https://x.org/gold with another sha256 than in config.yaml, "
        "line 5 (pairs.p.gold.file) (one URL is one file: correct one of the two)"
    )


REMARKS = [
    ("x: {segmenter: [bpe, unigram], dropout: 0.1}", ["x.dropout: unigram would ignore it"]),
    ("x: {segmenter: [words, bpe], dropout: 0.1}", []),
    ("x: {segmenter: wordpiece, dropout: 0, spaces: yes, knockout: none}", []),
    ("x: {samples: 5}", ["x.samples: has no effect without dropout or sampling"]),
    ("x: {samples: 5, target: {dropout: 0.1}}", []),
    ("x: {aggregate: 0.5}", ["x.aggregate: has no effect without dropout or sampling"]),
    ("x: {aligner: gibbs, aggregate: [0.5, union, posterior-0.5]}",
        ["x.aggregate: 0.5, union: has no effect without dropout or sampling"]),
    ("x: {dropout_weight: rank}", ["x.dropout_weight: has no effect without dropout"]),
    ("x: {source: {dropout_kind: merge}}",
        ["x.source.dropout_kind: has no effect without dropout"]),
    ("x: {aligner: gibbs, aggregate: posterior-0.5}", []),
    ("x: {aligner: gibbs, aggregate: posterior-0.5, symmetrization: [union, intersect]}",
        ["x.symmetrization: has no effect on posterior-0.5, which joins directions by itself"]),
    ("x: {aligner: fast_align, replicates: 3}",
        ["x.replicates: has no effect: fast_align gives the same links again"]),
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
    grid = Grid(source)
    assert grid.experiments or grid.config.language_models
    # Jobs get the values as our reader read them.
    assert check_config(json.loads(json.dumps(source.root.plain()))).config == grid.config


def test_remarks_on_what_nothing_uses(check):
    second = PAIR.partition("\n")[2].replace("  p:", "  q:")
    text = PAIR + second + "experiments: {x: {pairs: p}}\naligners: {eflomal: {model: 1}}\n"
    assert check(text).remarks == (
        "config.yaml:6: pairs.q: nothing uses it",
        "config.yaml:11: aligners.eflomal: nothing uses it",
    )


def test_how_much_of_a_text_there_is(check, lines):
    def text(value):
        return PAIR + f"experiments: {{x: {{merges: 5, sentences: {value}}}}}\n"

    found = check(text("[all, 2000]")).config.experiments["x"].sentences
    assert found == [None, 2000]
    for value in ("some", "0", "2000.0", "yes", "-5"):
        (line,) = lines(text(value))
        assert "experiments.x.sentences" in line
        assert "neither all nor a whole number from 1 to 1,000,000,000" in line


def test_both_sides_have_the_same_text(lines):
    (line,) = lines(PAIR + "experiments: {x: {source: {sentences: 5}}}\n")
    assert "experiments.x.source" in line
    assert "unknown key 'sentences'" in line


def test_dropout_by_blame_needs_morphemes(check, lines):
    text = PAIR + "experiments: {x: {dropout: 0.1, dropout_weight: WEIGHT}}\n"
    assert check(text.replace("WEIGHT", "rank")).config
    one, other = lines(text.replace("WEIGHT", "[blame, rank]"))
    assert "x.dropout_weight: blame needs the morphemes of the source side of p" in one
    assert "of the target side" in other


PLAIN = {"source": {"text": "a"}, "target": {"text": "b"}}


@pytest.mark.parametrize(
    ("section", "entry"),
    [("pairs", PLAIN), ("ensemble", {"members": ["x", "y"]}), ("export", {"experiments": ["x"]})],
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
    monkeypatch.setattr(findings, "suggestion", lambda name, known: asked.append(name))
    unknown = [f"name{number}" for number in range(2000)]
    with pytest.raises(InputError, match="and 1,950 more mistakes"):
        check_config({"pairs": {"p": PLAIN}, "experiments": {"x": {"pairs": unknown}}})
    assert len(asked) == findings.MAX_MISTAKES
