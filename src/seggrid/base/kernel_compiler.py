"""How a kernel that Python calls is compiled: with all that it calls, as one piece of code.

numba optimizes each function and translates it for the processor as soon as it has compiled it, and does
so again in each function that calls it. Of all functions that `compiled.njit` marks, only the kernels that
Python calls are ever run, so this is left out for the others: a fifth of the time of compiling. The names are
private to numba.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.runtime.nrt import rtsys


class CalledCode(JITCodeLibrary):
    """The code of a function that kernels call, which is only ever copied into theirs."""

    # numba tells a function where its module's names are, in code that can be run.
    codegen = SimpleNamespace(set_env=lambda name, environment: None)

    def get_pointer_to_function(self, name: str) -> int:
        """0, as numba has it for a name without code that can be run."""
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


class KernelCompiler(Compiler):
    """numba's compiler, for a kernel that Python calls."""

    def compile_extra(self, function: Any) -> Any:
        """Compile the kernel; what it calls is compiled meanwhile, as `CalledCode`."""
        state = self.state
        # numba's own runtime is run.
        rtsys.initialize(state.targetctx)
        codegen = state.targetctx.codegen()
        state.library = codegen.create_library(function.__qualname__)
        state.library.enable_object_caching()
        # Under numba's lock, so that no other thread compiles or loads code.
        codegen._library_class = CalledCode
        try:
            return super().compile_extra(function)  # type: ignore[no-untyped-call]
        finally:
            del codegen._library_class
