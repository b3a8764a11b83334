"""``make check-unity``: the folders that it takes, and the references that the compiler gets."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.unity.standins import ROOT
from tests.waiting import PATIENCE
from tools import unity_shaders
from tools.unity_shaders import Stage, find_includes, stages

COMPILER = """#!/bin/sh
# Log the arguments, and make the assembly.
for argument in "$@"; do
    case "$argument" in
        -out:*) out=${argument#-out:} ;;
        -define:*) printf '%s ' "$argument" >>"$LOG" ;;
    esac
done
printf '%s\\n' "$*" >>"$LOG"
: >"$out"
"""
SCRIPTS = ("tests/csharp/run.sh", "tests/csharp/stubs/MLAgents.cs")
CGINCLUDES = os.environ.get("LUBAN_CGINCLUDES", "")


def touch(*files: Path) -> None:
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of what the check reads, so that tests share no outputs."""
    folder = tmp_path / "checkout"
    for name in SCRIPTS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for room in ("Core", "Wire", "Runtime", "Editor", "Tests/EditMode", "Tests/PlayMode"):
        touch(folder / "unity_project/Assets/Luban" / room / "Some.cs")
    return folder


def check(checkout: Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    compiler = checkout / "csc"
    compiler.write_text(COMPILER, encoding="utf-8")
    compiler.chmod(0o755)
    return subprocess.run(
        [checkout / "tests/csharp/run.sh", "unity", folder],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "CSC": str(compiler), "LOG": str(checkout / "log"), **environment},
    )


def references(checkout: Path, part: str = "") -> list[str]:
    text = (checkout / "build/csharp/unity" / part / "references.rsp").read_text("utf-8")
    return sorted(Path(line[4:-1]).name for line in text.splitlines())


def editor(folder: Path) -> Path:
    """The files of an Editor that the check chooses from; some names occur twice in an Editor."""
    data = folder / "Editor" / "Data"
    nunit = "Resources/PackageManager/BuiltInPackages/com.unity.ext.nunit"
    touch(
        data / "Managed/UnityEngine/UnityEngine.dll",
        data / "Managed/UnityEngine/UnityEngine.CoreModule.dll",
        data / "Managed/UnityEngine/UnityEditor.CoreModule.dll",
        data / "Managed/UnityEngine.dll",
        data / "Managed/Mono.Cecil.dll",
        data / "NetStandard/ref/2.1.0/netstandard.dll",
        data / "NetStandard/compat/2.1.0/shims/netfx/mscorlib.dll",
        data / nunit / "net40/unity-custom/nunit.framework.dll",
        data / nunit / "net472/unity-custom/nunit.framework.dll",
        data / "PlaybackEngines/LinuxStandaloneSupport/UnityEngine.dll",
    )
    return folder


def test_check_of_an_installed_editor_refers_to_each_of_its_assemblies_once(
    checkout: Path, tmp_path: Path
) -> None:
    done = check(checkout, editor(tmp_path / "6000.0.59f2"))
    assert done.returncode == 0, done.stderr
    engine = ["UnityEngine.CoreModule.dll", "UnityEngine.dll"]
    others = ["mscorlib.dll", "netstandard.dll", "nunit.framework.dll"]
    assert references(checkout) == ["UnityEditor.CoreModule.dll", *engine, *others]
    assert references(checkout, "player") == [*engine, *others]
    assert "ML-Agents is not there: its stubs stand in" in done.stdout


@pytest.mark.parametrize("place", [".", "Editor", "Editor/Data"])
def test_check_of_an_editor_takes_the_folder_at_any_depth(
    checkout: Path, tmp_path: Path, place: str
) -> None:
    done = check(checkout, editor(tmp_path / "editor") / place)
    assert done.returncode == 0, done.stderr
    assert "UnityEngine.CoreModule.dll" in references(checkout)


def test_check_of_a_flat_folder_takes_all_that_it_holds(checkout: Path, tmp_path: Path) -> None:
    names = ["Unity.ML-Agents.dll", "UnityEngine.dll", "netstandard.dll", "nunit.framework.dll"]
    touch(*(tmp_path / "flat" / name for name in names))
    done = check(checkout, tmp_path / "flat")
    assert done.returncode == 0, done.stderr
    assert references(checkout) == names
    assert "stubs" not in done.stdout


def test_check_takes_packages_from_the_library_of_an_opened_project(
    checkout: Path, tmp_path: Path
) -> None:
    library = checkout / "unity_project/Library"
    plugins = library / "PackageCache/com.unity.ml-agents@4.0.0/Plugins"
    touch(library / "ScriptAssemblies/Unity.ML-Agents.dll", plugins / "Google.Protobuf.dll")
    done = check(checkout, editor(tmp_path / "editor"))
    assert done.returncode == 0, done.stderr
    assert {"Unity.ML-Agents.dll", "Google.Protobuf.dll"} <= set(references(checkout))
    assert "stubs" not in done.stdout


def test_check_compiles_for_the_editor_and_for_a_player(checkout: Path, tmp_path: Path) -> None:
    check(checkout, editor(tmp_path / "editor"))
    calls = (checkout / "log").read_text("utf-8").splitlines()
    assert len(calls) == 1 + 6 + 3
    assert [call.startswith("-define:UNITY_EDITOR") for call in calls] == [True] * 7 + [False] * 3
    assert "UNITY_STANDALONE_LINUX" in calls[-1]
    assert all("Unity.ML-Agents.dll" in call for call in calls[1:])


@pytest.mark.parametrize(
    ("files", "words"), [([], "there is no UnityEngine"), (None, "name the folder with Unity's")]
)
def test_check_of_the_wrong_folder_is_refused_with_advice(
    checkout: Path, tmp_path: Path, files: list[str] | None, words: str
) -> None:
    folder = tmp_path / "wrong"
    if files is not None:
        folder.mkdir()
    done = check(checkout, folder)
    assert done.returncode == 2
    assert words in done.stderr


def test_check_without_a_compiler_is_refused_with_advice(checkout: Path, tmp_path: Path) -> None:
    done = check(checkout, editor(tmp_path / "editor"), CSC="no-such-csc")
    assert done.returncode == 2
    assert "there is no C# compiler no-such-csc: set CSC" in done.stderr


def test_check_uses_the_compiler_of_the_editor(checkout: Path, tmp_path: Path) -> None:
    data = editor(tmp_path / "editor") / "Editor/Data"
    touch(data / "DotNetSdkRoslyn/csc.dll", data / "NetCoreRuntime/dotnet")
    (data / "NetCoreRuntime/dotnet").write_text(COMPILER, encoding="utf-8")
    (data / "NetCoreRuntime/dotnet").chmod(0o755)
    done = check(checkout, data, CSC="")
    assert done.returncode == 0, done.stderr
    assert str(data / "DotNetSdkRoslyn/csc.dll") in (checkout / "log").read_text("utf-8")


def test_check_uses_the_compiler_of_an_sdk_where_the_editor_has_none(
    checkout: Path, tmp_path: Path
) -> None:
    sdks = tmp_path / "sdks"
    touch(sdks / "10.0.1/Roslyn/bincore/csc.dll")
    listing = f'echo "8.0.4 [{sdks}]"; echo "10.0.1 [{sdks}]"'
    dotnet = tmp_path / "dotnet"
    dotnet.write_text(
        COMPILER.replace("# Log", f'[ "$1" != --list-sdks ] || {{ {listing}; exit; }}\n# Log'),
        encoding="utf-8",
    )
    dotnet.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = check(checkout, editor(tmp_path / "editor"), CSC="", PATH=path)
    assert done.returncode == 0, done.stderr
    assert f"{sdks}/10.0.1/Roslyn/bincore/csc.dll" in (checkout / "log").read_text("utf-8")


def test_engine_with_stubs_of_ml_agents_runs_nothing(checkout: Path, tmp_path: Path) -> None:
    if not all(map(shutil.which, ("mono", "mcs", "nunit-console"))):
        pytest.skip("Mono is not installed")
    folder = editor(tmp_path / "editor")
    check(checkout, folder)
    done = subprocess.run(
        [checkout / "tests/csharp/run.sh", "engine", folder], capture_output=True, text=True
    )
    assert done.returncode == 3
    assert "a player needs ML-Agents itself" in done.stderr


def all_stages() -> list[Stage]:
    return [
        stage for path in sorted(unity_shaders.SHADERS.rglob("*.shader")) for stage in stages(path)
    ]


def test_stages_are_those_of_all_passes_under_their_line_numbers() -> None:
    found = all_stages()
    assert len(found) == 28
    assert [stage.kind for stage in found] == ["vertex", "fragment"] * 14
    for stage in found:
        lines = stage.shader.read_text("utf-8").splitlines()
        at = next(n for n, line in enumerate(lines) if f" {stage.entry}(" in line)
        assert f" {stage.entry}(" in stage.code
        assert lines[at] in stage.code.splitlines()[at] or stage.entry == "Fragment"


@pytest.mark.parametrize("place", [".", "Data", "Editor/Data"])
def test_includes_are_found_wherever_an_editor_is_named(tmp_path: Path, place: str) -> None:
    touch(tmp_path / place / "CGIncludes/UnityCG.cginc")
    assert find_includes(tmp_path) == tmp_path / place / "CGIncludes"


def test_shaders_without_includes_are_not_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unity_shaders.main([str(tmp_path)]) == 3
    assert "The shaders are NOT checked" in capsys.readouterr().out


@pytest.mark.skipif(not CGINCLUDES, reason="LUBAN_CGINCLUDES names no folder of Unity's includes")
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="glslang is not installed")
def test_shaders_compile_with_the_includes_of_unity(capsys: pytest.CaptureFixture[str]) -> None:
    assert unity_shaders.main([CGINCLUDES]) == 0
    assert "28 shader stages" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="glslang is not installed")
def test_shader_error_names_file_line_and_message(tmp_path: Path) -> None:
    touch(tmp_path / "UnityCG.cginc")
    code = "\n\nfloat4 Paint() : SV_Target { return missing; }\n"
    shader = Path("Broken.shader")
    errors = unity_shaders.compile_stage(Stage(shader, "fragment", "Paint", code), tmp_path)
    assert len(errors) == 2
    assert all("Broken.shader:3" in error and "'missing'" in error for error in errors)
