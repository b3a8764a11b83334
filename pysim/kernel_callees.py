"""Kernels that other kernels call, compiled as parts of those.

Numba optimises each function that a compiled one calls, together with all that it calls in turn,
and makes machine code of it. Then it does the same once more for the caller, and for the caller's
caller. Here a callee is linked into its caller as it is. Only what Python calls is optimised, and
machine code is made of it: the rules of chambers are compiled in 8 s, not in 20.
"""

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

__all__ = ["CalleeCompiler", "set_environments"]


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _CalleeLowering(NativeLowering):
    _name = "callee_lowering"

    def run_pass(self, state: Any) -> bool:
        library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
        library._optimize_final_module = lambda: None
        library._finalize_final_module = lambda: _make_linkable(library)
        state.library = library
        state.flags.no_compile = True
        super().run_pass(state)  # type: ignore[no-untyped-call]
        library.finalize()
        lowered = state["cr"]
        # Numba finds a function by what Python would call. It takes no function of Python.
        key = [lowered.fndesc.qualname].append
        state.targetctx.insert_user_function(key, lowered.fndesc, [library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, key, lowered.env)
        return True


def _make_linkable(library: Any) -> None:
    """Do what numba does in the end with a library, but add none of it to this process."""
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True


class CalleeCompiler(CompilerBase):
    """Compiles a function for its callers in compiled code."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's own passes, with another last one."""
        usual: Any = DefaultPassBuilder.define_nopython_pipeline(self.state)  # type: ignore[no-untyped-call]
        usual.add_pass_after(_CalleeLowering, NativeLowering)
        usual.passes = [one for one in usual.passes if one[0] is not NativeLowering]
        usual.finalize()
        return [usual]


def set_environments(compiled: Any) -> None:
    """Give a compiled function the environments of its callees, in which they keep objects.

    Numba does so when a function comes from a file. One that is compiled has them from its callees,
    when these are made machine code of.
    """
    for environment in compiled._find_referenced_environments():
        compiled.library.codegen.set_env(environment.env_name, environment)
