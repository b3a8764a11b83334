"""Nothing that comes from outside is run: code is in the sandbox only; data are read as data."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SANDBOX = "bridge/benches/cubebench/sandbox/child.py"
IMAGES = "pysim/kernel_images.py"
"""Reads the types that stand in machine code, which it runs itself."""
RUNNING = {"exec", "eval", "compile", "__import__"}
"""Built in, and by these names alone: ``re.compile`` is another thing."""
READING = {
    "pickle",
    "cPickle",
    "cloudpickle",
    "dill",
    "joblib",
    "marshal",
    "shelve",
    "yaml",
    "code",
}
"""Modules whose readers run what they read, or may."""
SHELLS = {("os", "system"), ("os", "popen"), ("tempfile", "mktemp"), ("subprocess", "getoutput")}
OTHERS = {"shell": True, "allow_pickle": True}
"""Arguments that make a call one of these."""
SUSPICIOUS = re.compile(
    rf"\b(?:{'|'.join(sorted(RUNNING))})\(|\b(?:import|from)\b.*\b(?:{'|'.join(sorted(READING))})\b"
    rf"|\b(?:{'|'.join(name for _, name in sorted(SHELLS))})\b|\b(?:{'|'.join(OTHERS)})\b"
)
"""One of these is in the text of every module with a danger: few have to be parsed."""


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules that may hold a danger, parsed."""
    for top in ("bridge", "pysim", "luban", "examples", "tools", "perf"):
        for path in sorted((ROOT / top).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if SUSPICIOUS.search(text):
                yield path.relative_to(ROOT).as_posix(), ast.parse(text)


def dangers(tree: ast.Module) -> Iterator[str]:
    """What runs what it is given, in the order of the text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.partition(".")[0] in READING)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from [node.module or ""] * ((node.module or "").partition(".")[0] in READING)
        elif isinstance(node, ast.Call):
            yield from _of_call(node)


def _of_call(node: ast.Call) -> Iterator[str]:
    match node.func:
        case ast.Name(id=name) if name in RUNNING:
            yield name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if (module, name) in SHELLS:
            yield f"{module}.{name}"
    for given in node.keywords:
        if given.arg in OTHERS and not (
            isinstance(given.value, ast.Constant) and given.value.value is not OTHERS[given.arg]
        ):
            yield f"{given.arg}="


def test_the_search_finds_what_it_is_for() -> None:
    text = (
        "import pickle, yaml.loader\nfrom marshal import loads\nexec(x)\neval(compile(y))\n"
        "os.system(z)\nsubprocess.run(z, shell=True)\nnp.load(f, allow_pickle=flag)\n"
        "re.compile(x)\nmodel.eval()\nsubprocess.run(z, shell=False)\n"
    )
    assert all(map(SUSPICIOUS.search, text.splitlines()[:7]))
    assert sorted(dangers(ast.parse(text))) == sorted(
        ["pickle", "yaml.loader", "marshal", "exec", "eval", "compile", "os.system"]
        + ["shell=", "allow_pickle="]
    )


def test_code_is_run_in_the_sandbox_only_and_no_data_are_run() -> None:
    found = {path: sorted(dangers(tree)) for path, tree in sources()}
    assert {path: what for path, what in found.items() if what} == {
        SANDBOX: ["compile", "exec"],
        IMAGES: ["pickle"],
    }
