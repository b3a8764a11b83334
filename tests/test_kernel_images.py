"""Images of kernels: compiled code that is called without numba, as long as it is current."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pysim.kernel_images import describe_arguments, list_undefined

MODULE = """
from typing import NamedTuple
import numpy as np
from pysim.kernels import kernel

SCALE = {scale}

class Pair(NamedTuple):
    words: object
    many: int

@kernel
def weigh(words):
    total = {start}
    for k in range(len(words)):
        total += SCALE * words[k]
    return total

@kernel
def grow(pair, by):
    return Pair(np.concatenate((pair.words, pair.words)), pair.many + weigh(pair.words) + by)

@kernel
def divide(one, other):
    if other == 0:
        raise ValueError("by nothing")
    return one // other
"""
CALLS = """
import json, sys
import numpy as np
from pysim import kernel_images, kernels
import measured as m

grown = m.grow(m.Pair(np.arange(4), 7), 2)
shown = [type(grown).__name__, grown.words.tolist(), int(grown.many)]
shown.append(m.divide(np.int64(9), 2))
try:
    m.divide(np.int64(9), 0)
except ValueError as error:
    shown.append(str(error))
print(json.dumps([shown, "numba.core.compiler" in sys.modules]), flush=True)
if "numba.core.compiler" not in sys.modules:
    floats = np.arange(3.0)
    assert m.weigh(floats) == m.weigh.interpreted(floats), "numba compiles beside images"
    assert m.grow(m.Pair(np.arange(4), 7), 2).many == grown.many
"""
RESULT = ["Pair", [0, 1, 2, 3, 0, 1, 2, 3]]


def run(folder: Path, scale: int = 10, start: int = 0) -> tuple[object, bool]:
    """Call kernels in a new process: what they return, and whether they needed numba."""
    (folder / "measured.py").write_text(MODULE.format(scale=scale, start=start))
    environment = {
        **os.environ,
        "PYTHONPATH": f"{folder}{os.pathsep}{Path.cwd()}",
        "NUMBA_CACHE_DIR": str(folder / "kept"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", CALLS], env=environment, capture_output=True, text=True, check=True
    )
    shown, compiled = json.loads(done.stdout)
    return shown, compiled


def expect(many: int) -> list[object]:
    return [*RESULT, many, 4, "by nothing"]


@pytest.mark.skipif(sys.platform != "linux", reason="images are linked on Linux")
def test_a_kernel_that_was_compiled_before_is_called_without_numba_until_it_changes(
    tmp_path: Path,
) -> None:
    assert run(tmp_path) == (expect(69), True)
    assert run(tmp_path) == (expect(69), False)
    assert run(tmp_path, scale=100) == (expect(609), True), "a constant of a callee has changed"
    assert run(tmp_path, start=5) == (expect(74), True), "a callee has changed"
    for image in (tmp_path / "kept").glob("*.kernel"):
        image.write_bytes(image.read_bytes()[:-4000])
    assert run(tmp_path, start=5) == (expect(74), True), "images are cut short"
    assert run(tmp_path, start=5) == (expect(74), False)


def test_arguments_are_told_apart_by_all_that_compiled_code_depends_on() -> None:
    grid = np.zeros((3, 4))
    still = grid.copy()
    still.setflags(write=False)
    described = [
        describe_arguments([one])
        for one in (
            grid, grid.T, grid[:, ::2], still, grid.astype(np.float32), grid[0], grid.astype(">f8"),
            1, True, 1.0, np.int32(1), np.uint64(1), (grid, 1), (1, grid), ((grid, 1),),
        )
    ]  # fmt: skip
    assert None not in described
    assert len(set(described)) == len(described)
    assert describe_arguments([grid + 1, 5]) == describe_arguments([grid, 6])
    for unknown in (1 << 63, [1], "a", None, np.ma.zeros(2)):
        assert describe_arguments([unknown]) is None


@pytest.mark.skipif(sys.platform != "linux", reason="images are linked on Linux")
def test_undefined_symbols_are_those_that_a_linker_knows_of() -> None:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    code = machine.emit_object(
        binding.parse_assembly(
            "declare i64 @elsewhere(i64)\n@outside = external global i64\n"
            "define i64 @here(i64 %n) {\n %a = call i64 @elsewhere(i64 %n)\n"
            " %b = load i64, ptr @outside\n %c = add i64 %a, %b\n ret i64 %c\n}\n"
        )
    )
    assert sorted(list_undefined(code)) == ["elsewhere", "outside"]
    for broken in (b"", code[:5], b"MZ" + code[2:], code[: len(code) // 2]):
        with pytest.raises(ValueError):
            list_undefined(broken)
