"""Names that are private to other packages: each stands in one module, and their release still has it."""

import argparse
import ast
import inspect
import os
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import numba
import pytest

SOURCE = Path(__file__).parents[1] / "src/seggrid"

PRIVATE = {
    "base/parsers.py": {"_actions", "_option_string_actions", "_action_groups", "_group_actions"},
    "base/compiled.py": {
        "_already_initialized",
        "_cache",
        "_compile_for_args",
        "_memo",
        "_rebuild",
        "_reduce",
    },
    "base/kernel_compiler.py": {"_finalize_dynamic_globals", "_library_class"},
    "grid/run/snakemake_private.py": {"_max_len", "_record_path"},
    "segment/formats/contents.py": {"_mergeable_ranks", "_pat_str", "_special_tokens"},
    "text/fetch.py": {"_Hash"},  # of hashlib's types alone
    "grid/run/fork_server.py": {"_exit"},  # which Python documents
}
"""The names, by the module that has them."""


def names(tree):
    """The private names that a module defines, and those that it asks objects for."""
    defined, asked = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            defined.add(node.id)
        elif isinstance(node, ast.Attribute) and not node.attr.startswith("__"):
            is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if isinstance(node.ctx, ast.Store) and is_own:
                defined.add(node.attr)
            elif node.attr.startswith("_"):
                asked.add(node.attr)
    return defined, asked


def test_private_names_of_other_packages_stand_in_one_module_each():
    modules = {
        path.relative_to(SOURCE).as_posix(): names(ast.parse(path.read_text("utf-8")))
        for path in SOURCE.glob("**/*.py")
    }
    own = {"_replace", "_asdict"}.union(*(defined for defined, _ in modules.values()))
    found = {module: asked - own for module, (_, asked) in modules.items() if asked - own}
    assert found == PRIVATE


def numba_kernel():
    kernel = numba.njit(lambda x: x)
    yield from ((kernel, name) for name in ("_cache", "_compile_for_args"))
    result = numba.core.compiler.CompileResult
    yield from ((result, name) for name in ("_rebuild", "_reduce"))
    yield import_module("numba.core.entrypoints"), "_already_initialized"
    environments = import_module("numba.core.environment")
    yield from ((environments, "_rebuild_env"), (environments.Environment, "_memo"))
    yield import_module("numba.core.runtime._nrt_python"), "c_helpers"
    codegen = import_module("numba.core.registry").cpu_target.target_context.codegen()
    yield codegen, "_library_class"
    overridden = {"_optimize_final_module", "_finalize_final_module", "_finalized"}
    for name in PRIVATE["base/kernel_compiler.py"] - {"_library_class"} | overridden:
        yield codegen._library_class, name


def snakemake_records():
    files = import_module("snakemake.persistence.file").FilePersistence
    records = files.__new__(files)
    records._max_len = os.pathconf(".", "PC_NAME_MAX")
    assert records._record_path("folder", "output").startswith("folder")
    yield files, "_record_path"
    assert "self._lockfile" in inspect.getsource(files.__init__)


def tiktoken_encoding():
    tiktoken = pytest.importorskip("tiktoken", reason="needs tiktoken: pip install tiktoken")
    encoding = tiktoken.Encoding("e", pat_str="", mergeable_ranks={b"a": 0}, special_tokens={})
    yield from ((encoding, name) for name in PRIVATE["segment/formats/contents.py"])


def python_parser():
    parser = argparse.ArgumentParser()
    yield from ((parser, name) for name in PRIVATE["base/parsers.py"] - {"_group_actions"})
    yield parser.add_argument_group("title"), "_group_actions"


@pytest.mark.parametrize(
    ("package", "those"),
    [
        ("numba", numba_kernel),
        ("snakemake", snakemake_records),
        ("tiktoken", tiktoken_encoding),
        ("python", python_parser),
    ],
)
def test_the_installed_release_has_them(package, those):
    gone = [name for holder, name in those() if not hasattr(holder, name)]
    release = sys.version.split()[0] if package == "python" else version(package)
    assert not gone, f"{package} {release} has no {', '.join(gone)}"
