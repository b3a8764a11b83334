"""Generates ``bridge/rpc/_pb`` from ``proto/``: ``python tools/gen_proto.py [--out DIR]``."""

import argparse
import re
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "bridge" / "rpc" / "_pb"
PACKAGE = "bridge.rpc._pb"


def generate(target: Path) -> None:
    """Write the generated modules into ``target``, in place of what is there."""
    sources = sorted((ROOT / "proto").rglob("*.proto"))
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        arguments = [
            "protoc",
            f"--proto_path={ROOT / 'proto'}",
            f"--proto_path={files('grpc_tools') / '_proto'}",
            f"--python_out={out}",
            f"--pyi_out={out}",
            f"--grpc_python_out={out}",
            *(str(source) for source in sources),
        ]
        if protoc.main(arguments):
            raise SystemExit("protoc failed")
        for path in [*out.rglob("*.py"), *out.rglob("*.pyi")]:
            path.write_text(_relocated(path.read_text(encoding="utf-8")), encoding="utf-8")
        for path in [*out.rglob("*_grpc.py")]:
            # A file without a service gives an empty module.
            if "class " not in path.read_text(encoding="utf-8"):
                path.unlink()
        for folder in [out, *(p for p in out.rglob("*") if p.is_dir())]:
            (folder / "__init__.py").write_text("", encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        shutil.copytree(out, target)


def _relocated(code: str) -> str:
    """Imports of generated modules, as parts of our package."""
    return re.sub(r"^from luban\.", f"from {PACKAGE}.luban.", code, flags=re.MULTILINE)


def main() -> None:
    """Generate into the package, or elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=TARGET)
    generate(parser.parse_args().out)


if __name__ == "__main__":
    main()
