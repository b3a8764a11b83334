"""What code in a sandbox may do."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bridge.benches.cubebench.sandbox.interpreter import (
    Interpreter,
    OutOfTime,
    Ran,
    SandboxLimits,
    Strength,
)
from tests.benches.cubebench.sandbox.functions import FUNCTIONS, PICTURE
from tests.waiting import PATIENCE


def run(interpreter: Interpreter, code: str, seconds: float = PATIENCE) -> Ran:
    return interpreter.run(code, time.monotonic() + seconds)


def printed(interpreter: Interpreter, code: str) -> str:
    ran = run(interpreter, code)
    assert ran.error is None, ran.error
    return ran.output


def test_code_calls_functions_and_prints(strong: Interpreter) -> None:
    assert printed(strong, "print(double(21), double(number=4))") == "42 8\n"
    assert printed(strong, "print(double.__name__, double.__doc__)") == (
        "double Twice a whole number.\n"
    )


def test_what_one_piece_of_code_defines_the_next_ones_have(strong: Interpreter) -> None:
    assert printed(strong, "import math\ndef f(x): return math.floor(x) + 1") == ""
    assert printed(strong, "print(f(1.5))") == "2\n"


def test_a_refused_call_is_an_error_that_code_can_catch(strong: Interpreter) -> None:
    code = "try:\n    double('x')\nexcept ValueError as error:\n    print(error)"
    assert printed(strong, code) == "'x' is no whole number\n"


@pytest.mark.parametrize(
    "call", ["double()", "double(1, 2)", "double(n=1)", "double(1, number=1)", "look(0)"]
)
def test_a_call_with_other_arguments_is_refused(call: str, strong: Interpreter) -> None:
    ran = run(strong, call)
    assert ran.error is not None
    assert "takes exactly these arguments" in ran.error


def test_arguments_that_are_no_json_are_an_error_in_the_code(strong: Interpreter) -> None:
    for argument in ("{1}", "float('nan')", "'x' * 10**6", "object()"):
        error = run(strong, f"double({argument})").error
        assert error is not None
        assert "Error" in error.splitlines()[-1]
    assert printed(strong, "print(double(1))") == "2\n"


def test_a_picture_comes_as_an_array_that_may_be_written_to(strong: Interpreter) -> None:
    code = "x = look()\nprint(x.shape, x.dtype, x.tolist())\nx[0, 0] = 0"
    shape = "(2, 3, 3) uint8"
    assert printed(strong, code) == f"{shape} {PICTURE.tolist()}\n"


def test_an_error_is_told_with_the_lines_of_the_code_and_no_others(strong: Interpreter) -> None:
    ran = run(strong, "print('before')\ndef f():\n    return double('x')\nf()")
    assert ran.output == "before\n"
    assert ran.error is not None
    assert "return double('x')" in ran.error
    assert ran.error.endswith("ValueError: 'x' is no whole number\n")
    assert "bridge" not in ran.error


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("def", "SyntaxError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class E(Exception):\n    def __str__(self): raise SystemExit\nraise E", "E"),
        ("x = '\\0'; eval(x)", "Error"),
        ("def f(): f()\nf()", "RecursionError"),
    ],
)
def test_code_that_fails_leaves_the_interpreter_whole(
    code: str, word: str, strong: Interpreter
) -> None:
    run(strong, "kept = 5")
    error = run(strong, code).error
    assert error is not None
    assert word in error
    assert printed(strong, "print(kept)") == "5\n"


def test_of_much_output_the_middle_is_left_out(strong: Interpreter) -> None:
    text = printed(strong, "print('a' * 10**7, end='')\nprint('b' * 20_000, end='')")
    assert text.startswith("a" * 5_000 + "\n[... 10,010,000 characters are left out ...]\n")
    assert text.endswith("\n" + "b" * 5_000)
    assert len(printed(strong, "for i in range(10**5): print(i)")) < 10_100


def test_output_past_python_leads_nowhere(strong: Interpreter) -> None:
    assert printed(strong, "import os\nos.write(1, b'x')\nos.write(2, b'y')") == ""


@pytest.mark.timing
def test_code_that_never_ends_is_ended_at_its_deadline() -> None:
    with Interpreter(FUNCTIONS) as interpreter:
        for code in ("while True: pass", "while True: double(1)", "import time\ntime.sleep(60)"):
            run(interpreter, "")
            began = time.monotonic()
            with pytest.raises(OutOfTime):
                run(interpreter, code, 0.3)
            assert 0.3 <= time.monotonic() - began < 60


def test_code_that_asks_without_listening_is_ended_at_its_deadline(strong: Interpreter) -> None:
    code = (
        "import os, stat\n"
        'line = b\'{"call":"look","arguments":[],"keywords":{}}\\n\'\n'
        "def is_pipe(fd):\n"
        "    try: return stat.S_ISFIFO(os.fstat(fd).st_mode)\n"
        "    except OSError: return False\n"
        "pipes = [fd for fd in range(3, 1024) if is_pipe(fd)]\n"
        "while True:\n"
        "    for fd in pipes:\n"
        "        try: os.write(fd, line)\n"
        "        except OSError: pass"
    )
    with pytest.raises(OutOfTime):
        run(strong, code, 0.5)
    assert printed(strong, "print(1)") == "1\n"


def test_somebody_who_wants_to_stop_is_heard_while_code_runs() -> None:
    class Enough(Exception):
        pass

    began = time.monotonic()

    def check() -> None:
        if time.monotonic() > began + 0.5:
            raise Enough

    with Interpreter(FUNCTIONS, check=check) as interpreter, pytest.raises(Enough):
        run(interpreter, "while True: pass")


def test_an_exception_of_a_function_ends_the_code_and_comes_out() -> None:
    def over() -> None:
        raise RuntimeError("over")

    with Interpreter({"over": over}) as interpreter:
        with pytest.raises(RuntimeError, match="over"):
            run(interpreter, "try:\n    over()\nexcept BaseException:\n    over()")
        with pytest.raises(RuntimeError, match="over"):  # In a new one.
            run(interpreter, "over()")


def test_random_numbers_and_sets_are_the_same_for_the_same_seed() -> None:
    code = "import random\nprint(random.random(), list({'a', 'b', 'c', 'd', 'e'}))"

    def told(seed: int) -> str:
        with Interpreter(FUNCTIONS, Strength.WEAK, seed=seed) as interpreter:
            return printed(interpreter, code)

    assert told(1) == told(1) != told(2)


def test_random_numbers_of_numpy_are_seeded_too(strong: Interpreter) -> None:
    code = (
        "import numpy as np\n"
        "one, other = np.random.default_rng(), np.random.default_rng()\n"
        "print(np.random.rand(3), one.random(3), other.random(3))\n"
        "print(np.random.default_rng(5).random())"
    )

    def told(seed: int) -> str:
        with Interpreter(FUNCTIONS, Strength.WEAK, seed=seed) as interpreter:
            return printed(interpreter, code)

    assert told(1) == told(1) != told(2)
    assert printed(strong, code).rstrip().endswith(str(np.random.default_rng(5).random()))


def test_memory_is_limited() -> None:
    limits = SandboxLimits(memory=2**29)
    with Interpreter(FUNCTIONS, limits=limits) as interpreter:
        error = run(interpreter, "x = bytearray(2**30)").error
        assert error is not None
        assert "MemoryError" in error
        ran = run(interpreter, "x = []\nwhile True: x.append('y' * 10**6 + str(len(x)))")
        assert ran.error is not None
        assert "MemoryError" in ran.error or "has ended" in ran.error


def test_numpy_computes_in_a_sandbox(strong: Interpreter) -> None:
    code = "import numpy as np\nprint(np.linalg.det(np.eye(4) * 2), np.fft.fft([1, 0]).real)"
    assert printed(strong, code) == f"{np.linalg.det(np.eye(4) * 2)} [1. 1.]\n"


def test_a_child_whose_parent_is_killed_ends_too(tmp_path: Path) -> None:
    script = (
        "import os, sys, time\n"
        "from bridge.benches.cubebench.sandbox.interpreter import Interpreter\n"
        "def told(number): print(number, flush=True); os.kill(os.getpid(), 9)\n"
        "code = 'import os\\ntold(os.getpid())\\nwhile True: pass'\n"
        "Interpreter({'told': told}).run(code, time.monotonic() + 600)\n"
    )
    root = str(Path(__file__).parents[4])
    parent = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env={"PYTHONPATH": root}
    )
    child = Path("/proc") / str(json.loads(parent.stdout))
    until = time.monotonic() + PATIENCE
    while child.exists() and "Z" not in (child / "stat").read_text().split()[2]:
        assert time.monotonic() < until
        time.sleep(0.02)
