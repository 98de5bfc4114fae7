"""The workflow uses the config that Snakemake was given, with the lines of its files."""

from types import SimpleNamespace

import pytest

from seggrid.base.errors import InputError
from seggrid.grid.rules.given_config import config_files, given_config


@pytest.fixture
def run(tmp_path, monkeypatch):
    """The config of a run, from the files of the command line, the workflow's own, and Snakemake's merged
    one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "default.yaml").write_text("\na: 1\n")
    (tmp_path / "own.yaml").write_text("\na: 2\nb: 2\n")
    (tmp_path / "given.yaml").write_text("\na: 3\n")

    def run(given=(), own=(), merged=None, module=False, overrides=()):
        given = [tmp_path / name for name in given]
        workflow = SimpleNamespace(
            overwrite_configfiles=given,
            configfiles=[*given, *own],
            modifier=SimpleNamespace(skip_configfile=module),
            config_settings=SimpleNamespace(config_args=overrides, config=dict(merged or {})),
        )
        files = config_files(workflow, "default.yaml")
        return given_config(workflow, merged or {}, files)

    return run


@pytest.mark.parametrize(
    ("given", "own", "values"),
    [
        ([], [], {"a": 1}),
        (["given.yaml"], [], {"a": 3}),
        (["own.yaml", "given.yaml"], [], {"a": 3, "b": 2}),
        ([], ["own.yaml"], {"a": 2, "b": 2}),
    ],
)
def test_files_of_the_command_line_take_the_place_of_the_default(run, given, own, values):
    assert run(given, own).plain() == values


def test_values_of_the_command_line_go_over_all(run):
    source = run(["given.yaml"], overrides=["a=[1, 2.5]", "b=x"])
    assert source.plain() == {"a": [1, 2.5], "b": "x"}


def test_a_module_takes_the_files_of_the_workflow_that_has_it(run):
    source = run(["given.yaml"], ["own.yaml"], merged={"a": 3, "b": 2}, module=True)
    assert source.plain() == {"a": 3, "b": 2}
    assert (source.at(["b"]).file, source.at(["b"]).line) == ("own.yaml", 3)


def test_a_module_takes_values_that_stand_in_no_file(run):
    source = run([], ["own.yaml"], merged={"c": 4}, module=True)
    assert source.plain() == {"c": 4}
    assert source.at(["c"]).line is None


def test_a_file_that_cannot_be_read(run, tmp_path):
    (tmp_path / "default.yaml").write_text("a:\n\t- 1\n")
    with pytest.raises(InputError, match=r"^default\.yaml:2: not YAML"):
        run()


def test_a_workflow_that_has_this_one_as_a_module(root, snakemake, tmp_path):
    (tmp_path / "resources").symlink_to(root / "resources")
    config = (root / "config/config.yaml").read_text() + "sead: 1\n"
    (tmp_path / "c.yaml").write_text(config)
    (tmp_path / "Snakefile").write_text(
        f'configfile: "c.yaml"\nmodule grid:\n    snakefile: "{root / "workflow/Snakefile"}"\n'
        "    config: config\nuse rule * from grid\n"
    )
    done = snakemake(tmp_path, None, "-n", check=False)
    assert done.returncode == 1
    line = config.count("\n")
    assert done.stderr.splitlines()[-1] == (
        f"error: c.yaml:{line}: sead: unknown key 'sead' (did you mean 'seed'?)"
    )
