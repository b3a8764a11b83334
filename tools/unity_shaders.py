"""Compile the project's shaders with glslang: ``python -m tools.unity_shaders EDITOR``.

EDITOR is an installed Editor, its ``Data`` folder, or any folder that holds Unity's ``CGIncludes``.
Every stage of every pass is compiled as Unity's compiler sees it for OpenGL and for Direct3D 11.
Unity's own compiler is not involved. The exit status is 3 if nothing could be checked.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.unity_names import ROOT

__all__ = ["Stage", "compile_stage", "find_includes", "stages"]

SHADERS = ROOT / "unity_project" / "Assets" / "Luban" / "Runtime" / "Resources"
APIS = ("SHADER_API_GLCORE", "SHADER_API_D3D11")
"""Macros by which Unity's include files know the graphics API."""
DATA = (".", "Data", "Editor/Data", "Unity.app/Contents")
"""Places of an Editor's data below the folder that is named."""
NOT_CHECKED = 3
_LOOKUP = "#define LOOK_UP(map, at) map.SampleLevel(sampler##map, (at).xy, (at).w)"
"""``tex2Dlod`` in the syntax of Direct3D 10: glslang does not know that of Direct3D 9."""
PROBE = '#include "UnityCG.cginc"\nfloat4 Probe() : SV_Target { return _Time; }\n'

_BLOCK = re.compile(
    r"^[ \t]*(HLSLINCLUDE|CGINCLUDE|HLSLPROGRAM|CGPROGRAM)\b(.*?)^[ \t]*(?:ENDHLSL|ENDCG)\b",
    re.DOTALL | re.MULTILINE,
)
_ENTRY = re.compile(r"^[ \t]*#pragma[ \t]+(vertex|fragment)[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Stage:
    """One entry point of one pass. Lines of ``code`` have their numbers in the shader's file."""

    shader: Path
    kind: str
    entry: str
    code: str


def main(arguments: list[str]) -> int:
    """Compile all stages and print errors. Return 0, 1 for errors or 3 if nothing was checked."""
    includes = find_includes(Path(arguments[0])) if arguments else None
    problem = _missing(includes)
    if includes is None or problem:
        print(f"**** The shaders are NOT checked: {problem}")
        return NOT_CHECKED
    found = [stage for path in sorted(SHADERS.rglob("*.shader")) for stage in stages(path)]
    errors = [error for stage in found for error in compile_stage(stage, includes)]
    print(*errors, sep="\n", end="\n" if errors else "")
    print(f"{len(found)} shader stages, each for {len(APIS)} graphics APIs: {len(errors)} errors")
    return 1 if errors else 0


def _missing(includes: Path | None) -> str:
    if shutil.which("glslangValidator") is None:
        return "glslangValidator is missing (on Debian: apt-get install glslang-tools)"
    if includes is None:
        return "no folder CGIncludes: name an Editor's folder Data"
    probe = Stage(Path("probe"), "fragment", "Probe", PROBE)
    errors = compile_stage(probe, includes)
    return f"glslang can't read {includes}: {errors[0]}" if errors else ""


def find_includes(editor: Path) -> Path | None:
    """Return the folder ``CGIncludes`` of an Editor, or None if there is none."""
    folders = (editor, *(editor / place / "CGIncludes" for place in DATA))
    return next((folder for folder in folders if (folder / "UnityCG.cginc").is_file()), None)


def stages(shader: Path) -> Iterator[Stage]:
    """Return the entry points of a ``.shader`` file, in order."""
    text = shader.read_text(encoding="utf-8")
    shared = ""
    for block in _BLOCK.finditer(text):
        code = "\n" * text.count("\n", 0, block.start(2)) + block[2]
        if block[1].endswith("INCLUDE"):
            shared = _overlay(shared, code)
            continue
        whole = _overlay(shared, code)
        yield from (Stage(shader, kind, entry, whole) for kind, entry in _ENTRY.findall(block[2]))


def _overlay(first: str, second: str) -> str:
    """Return the code of both, each line under its own number."""
    lines, later = first.split("\n"), second.split("\n")
    return "\n".join(lines + later[len(lines) :])


def compile_stage(stage: Stage, includes: Path) -> list[str]:
    """Return the errors of a stage, as ``FILE:LINE: message``."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "stage.hlsl"
        source.write_text(_without_tex2dlod(stage.code), encoding="utf-8")
        return [error for api in APIS for error in _compile(stage, source, includes, api)]


def _without_tex2dlod(code: str) -> str:
    for name in set(re.findall(r"\btex2Dlod\((\w+)", code)):
        code = code.replace(f"sampler2D {name};", f"Texture2D {name}; SamplerState sampler{name};")
    return f"{_LOOKUP}\n#line 1\n" + code.replace("tex2Dlod(", "LOOK_UP(")


def _compile(stage: Stage, source: Path, includes: Path, api: str) -> list[str]:
    command = ["glslangValidator", "-D", "-V", "--auto-map-bindings", "--auto-map-locations"]
    command += [f"-I{includes}", f"-D{api}=1", "-DSHADER_TARGET=40", "-e", stage.entry]
    command += ["-S", stage.kind[:4], "-o", str(source.with_suffix(".spv")), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return []
    said = done.stdout.replace(str(source), str(stage.shader))
    errors = [line for line in said.splitlines() if "error" in line.lower()]
    return [
        f"{stage.shader.name}: {stage.entry} ({api}): {line}" for line in (errors or [said])[:1]
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
