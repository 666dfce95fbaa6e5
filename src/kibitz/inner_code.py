"""How kernels that only kernels call are compiled: to code that is optimized where it ends up.

Numba optimizes every function and makes machine code of it. Whoever calls it gets a copy, and
optimizes that again. A kernel without wrappers is never called by itself, so all that is needed
of it is the code to copy: half of the time that it takes to compile would be for nothing.

This is about Numba's *code library* of a function: the module that callers link, and the module
that is turned into machine code. They are one and the same, unless a library says otherwise.
"""

from __future__ import annotations

from functools import cache
from typing import Any

ENVIRONMENT = "NumbaEnv"
"""Part of the name of the one variable of a function that Numba sets from outside."""


@cache
def inner_compiler() -> Any:
    """A pipeline for `njit(pipeline_class=…)`."""
    import llvmlite.binding as llvm
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

    library_base: Any = JITCodeLibrary  # they have no types
    compiler_base: Any = Compiler

    class InnerLibrary(library_base):  # type: ignore[misc]
        """Callers link all of the function; machine code is made of its variable only."""

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
