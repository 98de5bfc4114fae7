"""Every mistake in a config is found when it is read: one line, with file, line and hint."""

import textwrap

import pytest
import yaml

from seggrid.errors import InputError
from seggrid.grid.config import check_config
from seggrid.grid.schema_table import with_table
from seggrid.workflow.inputs import Grid

SIDE = "{language: English, text: text.txt}"
PAIR = f"""\
pairs:
  p:
    source: {SIDE}
    target: {SIDE}
    gold: {{file: gold.txt}}
"""


@pytest.fixture
def schema(root):
    return root / "workflow/schemas/config.schema.yaml"


@pytest.fixture
def read(tmp_path, schema):
    def read(experiments, head=PAIR):
        file = tmp_path / "config.yaml"
        file.write_text(head + "experiments:\n" + textwrap.indent(experiments, "  "))
        return Grid(yaml.safe_load(file.read_text()), schema, [file])

    return read


def message(read, experiments, head=PAIR):
    with pytest.raises(InputError) as caught:
        read(experiments, head)
    assert "\n" not in str(caught.value)
    text = str(caught.value)
    return text[max(text.find("config.yaml"), 0) :]


def test_a_single_value_is_a_list_of_one(read):
    assert len(read("x: {merges: 500}").cells) == 2


@pytest.mark.parametrize(
    ("experiments", "said"),
    [
        ("x: {mergers: 500}", "config.yaml:7: experiments.x: unknown key 'mergers' (known keys: "),
        ("x: {case: Lower}", "config.yaml:7: experiments.x.case.0: Lower is not a value"),
        ("x:\n  merges: -1", "config.yaml:8: experiments.x.merges.0: -1 is less than"),
        ("x:\n  aggregate: 1.5", "config.yaml:8: experiments.x.aggregate: 1.5"),
        ("x: {aggregate: most}", "neither union, intersection nor a threshold from 0 to 1"),
        ("x: {dropout: 1.1}", "1.1 is greater than the maximum of 1"),
        ("x: {segmenter: bpee}", "experiments.x: no segmenter 'bpee' (there are: words, "),
        ("x: {source: {segmenter: bpee}}", "experiments.x.source: no segmenter 'bpee'"),
        ("x: {aligner: giza}", "no aligner 'giza' (there are: fast_align, eflomal, "),
        ("x: {pairs: q}", "experiments.x: no pairs 'q' (there are: p)"),
        ("x: {knockout: blame}", "config.yaml:7: "),
        ("x: {knockout: blame-0.5}", "needs the morphemes of the source side of p (add pairs.p."),
        ("x: {knockout: dropout-0.5}", "is a rate of dropout, no pruned model (use it under "),
        ("x: {dropout: 0.1, application: replace}", "use dropout_kind: merge, or application: "),
    ],
)
def test_mistakes(read, experiments, said):
    assert said in message(read, experiments)


def test_a_missing_key(read):
    assert "pairs.p: key 'gold' is missing (add gold:)" in message(
        read, "x: {}", f"pairs:\n  p: {{source: {SIDE}, target: {SIDE}}}\n"
    )


def test_the_last_file_that_sets_a_key_is_blamed(tmp_path, schema):
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text("seed: 1\nbatch: 5\n")
    two.write_text("\n\nseed: x\n")
    config = {"seed": "x", "batch": 5, "experiments": {}, **yaml.safe_load(PAIR)}
    with pytest.raises(InputError) as caught:
        check_config(config, schema, [one, two])
    assert str(caught.value).startswith(f"{two}:3: seed: ")


def test_a_missing_file_is_said_before_any_job(read):
    with pytest.raises(InputError, match=r"text\.txt: no such file"):
        read("x: {}").check_sources()


def test_the_table_of_keys_is_up_to_date(root, schema):
    readme = (root / "config/README.md").read_text(encoding="utf-8")
    loaded = yaml.safe_load(schema.read_text(encoding="utf-8"))
    assert with_table(readme, loaded) == readme, "run python -m seggrid.grid.schema_table"


def keys(node, path=""):
    for name, child in node.get("properties", {}).items():
        yield f"{path}.{name}", child
        yield from keys(child, f"{path}.{name}")


def test_every_key_is_described_and_unknown_ones_are_refused(schema):
    loaded = yaml.safe_load(schema.read_text(encoding="utf-8"))
    nodes = [("", loaded), *((f"$defs.{n}", d) for n, d in loaded["$defs"].items() if n != "axes")]
    for base, node in nodes:
        for path, child in keys(node, base):
            assert "description" in child or "$ref" in child, path
            if child.get("type") == "object":
                assert "additionalProperties" in child, path


@pytest.mark.parametrize("name", ["config", "thesis", "thesis-full", "knockout", "segmenters"])
def test_the_configs_that_come_with_the_project_are_right(root, schema, name):
    file = root / f"config/{name}.yaml"
    grid = Grid(yaml.safe_load(file.read_text(encoding="utf-8")), schema, [file])
    assert grid.cells
