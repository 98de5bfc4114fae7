"""The config's schema and its table of keys agree with the models; test_documents.py has the page."""

import runpy
from pathlib import Path

import pytest
from config_texts import skip_without_its_studies
from jsonschema import Draft202012Validator

from seggrid.align import ALIGNERS
from seggrid.grid.axes import AXES
from seggrid.grid.config import read_config
from seggrid.grid.config.schema import json_schema

CONFIGS = sorted((Path(__file__).parents[2] / "config").glob("*.yaml"))


def test_every_key_is_described(root):
    tables = runpy.run_path(str(root / "tools/reference.py"))["keys_tables"]
    lines = tables(json_schema()).splitlines()
    rows = [line.split(" | ") for line in lines if line.startswith("| `")]
    assert [row[0] for row in rows if not row[3].removesuffix(" |").strip()] == []
    keys = {row[0].strip("| `") for row in rows}
    assert {f"experiments.NAME.{axis}" for axis in AXES} <= keys
    assert {f"aligners.{aligner}" for aligner in ALIGNERS} <= keys


def test_unknown_keys_are_refused_everywhere():
    for name, model in json_schema()["$defs"].items():
        assert model["additionalProperties"] is False, name


@pytest.fixture(scope="module")
def validator():
    """Checks a config against the schema, which is one itself."""
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_the_schema_takes_the_configs_that_come_with_the_project(validator, file):
    config = read_config([file]).plain()
    skip_without_its_studies(config)
    validator.validate(config)
