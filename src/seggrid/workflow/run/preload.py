"""What the fork server imports before it forks."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from importlib import import_module

from seggrid.base.extras import PROJECT
from seggrid.workflow.run.code_digest import imported_modules, imports_library

SCRIPTS = PROJECT / "workflow/scripts"

EXTRA = frozenset({"safetensors", "tokenizers", "torch", "transformers"})
"""Libraries of extras that take seconds and hundreds of MB to import; they are not preloaded."""


def preload(modules: Iterable[str]) -> None:
    """Import modules, and load every kernel."""
    for module in modules:
        import_module(module)
    # Imported here, since Snakemake's process imports this module but needs no kernels.
    from seggrid.workflow.run import warm

    warm.run_kernels()
    # Otherwise garbage collection in each fork would visit all these modules and copy their memory pages.
    gc.collect()
    gc.freeze()


def modules_of_scripts() -> list[str]:
    """Every module of the package that a script imports, except for scripts that need an extra."""
    modules: set[str] = set()
    for script in SCRIPTS.glob("*.py"):
        found = imported_modules(script)
        if not any(imports_library(file, EXTRA) for file in (script, *found.values())):
            modules |= set(found)
    return sorted(modules)
