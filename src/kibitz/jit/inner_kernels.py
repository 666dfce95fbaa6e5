"""How kernels that only kernels call are compiled: to code that is optimized where it ends up.

Numba optimizes every function and makes machine code of it. Whoever calls it gets a copy, and
optimizes that again. A kernel without wrappers is never called by itself, so all that is needed
of it is the code to copy: half of the time that it takes to compile would be for nothing.

This is about Numba's *code library* of a function: the module that callers link, and the module
that is turned into machine code. They are one and the same, unless a library says otherwise.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

ENVIRONMENT = "NumbaEnv"
"""Part of the name of the one variable of a function that Numba sets from outside."""


def inner_flags() -> dict[str, Any]:
    """Flags for `njit`: no wrappers, and a pipeline of our own."""
    return {
        "no_cfunc_wrapper": True,
        "no_cpython_wrapper": True,
        "pipeline_class": inner_compiler(),
    }


@cache
def inner_compiler() -> Any:
    # None of them has types.
    llvm: Any = import_module("llvmlite.binding")
    library_base: Any = import_module("numba.core.codegen").JITCodeLibrary
    compiler_base: Any = import_module("numba.core.compiler").Compiler

    class InnerLibrary(library_base):  # type: ignore[misc]
        """Callers link all of the function; machine code is made of its variable only."""

        _final_module: Any

        def _optimize_final_module(self) -> None:
            """Callers do."""

        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout

        def _finalize_final_module(self) -> None:
            shared = self._shared_module = self._final_module
            for function in shared.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"  # so that many callers may have a copy
            text = str(self._codegen._create_empty_module(self.name))
            for variable in shared.global_variables:
                if ENVIRONMENT in variable.name:
                    text += f'\n@"{variable.name}" = common global i8* null\n'
            self._final_module = llvm.parse_assembly(text)
            super()._finalize_final_module()

    class InnerCompiler(compiler_base):  # type: ignore[misc]
        def _compile_core(self) -> Any:
            codegen = self.state.targetctx.codegen()
            self.state.library = InnerLibrary(codegen, self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
            return super()._compile_core()

    return InnerCompiler
