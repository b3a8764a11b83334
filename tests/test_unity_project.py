"""What can be said of the Unity project without an Editor: that its files fit together."""

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.gen_metas import assets
from tools.unity_editor_only import EDITOR_ONLY, editor_only_uses, uses
from tools.unity_names import ENGINE_TYPES, collisions, declared
from tools.unity_settings import FILES, KEYS, defects

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "unity_project"
LUBAN = PROJECT / "Assets" / "Luban"
ENGINE = {"Unity.ML-Agents", "UnityEngine.TestRunner", "UnityEditor.TestRunner"}
"""Assemblies that packages of the manifest bring."""
GUID = re.compile(r"guid: ([0-9a-f]+)")
TYPE = re.compile(r"^    (?:\w+ )*(?:class|struct|enum|interface) (\w+)", re.MULTILINE)


def guid_of(asset: Path) -> str:
    meta = asset.with_name(asset.name + ".meta").read_text(encoding="utf-8")
    return re.search(r"^guid: (.*)$", meta, flags=re.MULTILINE)[1]  # type: ignore[index]


def rooms() -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(LUBAN.rglob("*.asmdef")):
        yield path, json.loads(path.read_text(encoding="utf-8"))


def test_every_asset_has_a_meta_and_every_meta_an_asset() -> None:
    expected = {asset.with_name(asset.name + ".meta") for asset in assets()}
    found = set((PROJECT / "Assets").rglob("*.meta"))
    assert len(expected) > 100
    assert expected - found == set(), "missing: run tools/gen_metas.py"
    assert found - expected == set(), "left behind by assets that are gone"


def test_guids_are_well_formed_and_unique() -> None:
    guids = Counter(guid_of(asset) for asset in assets())
    assert all(re.fullmatch("[0-9a-f]{32}", guid) for guid in guids)
    assert [guid for guid, count in guids.items() if count > 1] == []


def test_metas_say_what_their_assets_are() -> None:
    importers = {".cs": "MonoImporter", ".asmdef": "AssemblyDefinitionImporter"}
    for asset in assets():
        meta = asset.with_name(asset.name + ".meta").read_text(encoding="utf-8")
        assert meta.startswith("fileFormatVersion: 2\nguid: ")
        assert ("folderAsset: yes" in meta) == asset.is_dir(), asset
        assert importers.get(asset.suffix, "Importer") in meta, asset


def test_every_room_has_one_assembly_named_after_it() -> None:
    names = {document["name"]: path for path, document in rooms()}
    folders = ("Core", "Wire", "Runtime", "Editor", "Tests/EditMode", "Tests/PlayMode")
    expected = {f"Luban.{folder.replace('/', '.')}": LUBAN / folder for folder in folders}
    assert {name: path.parent for name, path in names.items()} == expected
    assert all(path.stem == name for name, path in names.items())


def test_assemblies_refer_to_assemblies_that_there_are() -> None:
    ours = {document["name"] for _, document in rooms()}
    for path, document in rooms():
        assert set(document["references"]) <= ours | ENGINE, path
        assert document["name"] not in document["references"]


def test_core_and_wire_know_no_engine() -> None:
    known = {document["name"]: document for _, document in rooms()}
    assert known["Luban.Core"]["references"] == []
    assert known["Luban.Wire"]["references"] == ["Luban.Core"]
    for name in ("Core", "Wire"):
        assert known[f"Luban.{name}"]["noEngineReferences"] is True
        for source in (LUBAN / name).glob("*.cs"):
            assert "Unity" not in re.sub(r"//.*", "", source.read_text(encoding="utf-8")), source


def test_editor_and_tests_stay_out_of_players() -> None:
    known = {document["name"]: document for _, document in rooms()}
    for name in ("Luban.Editor", "Luban.Tests.EditMode"):
        assert known[name]["includePlatforms"] == ["Editor"]
    for name in ("Luban.Tests.EditMode", "Luban.Tests.PlayMode"):
        assert known[name]["defineConstraints"] == ["UNITY_INCLUDE_TESTS"]


def test_each_file_holds_the_type_that_it_is_named_after() -> None:
    for source in LUBAN.rglob("*.cs"):
        if source.name == "AssemblyInfo.cs":
            continue
        code = source.read_text(encoding="utf-8")
        types = re.findall(
            r"^    (?:\w+ )*(?:class|struct|enum|interface) (\w+)", code, re.MULTILINE
        )
        assert types == [source.stem], source


def test_no_type_of_ours_is_called_like_one_of_the_engine() -> None:
    assert len(ENGINE_TYPES) == 515
    assert {"Keyframe", "Motion", "GameObject"} <= ENGINE_TYPES
    assert list(collisions()) == []


def test_a_type_is_found_however_it_is_declared() -> None:
    code = """
        // class Comment { string said = "struct Text"; }
        public sealed class Outer<T> { private enum Inner { } }
        internal readonly struct Value { }
        /* interface Gone */ public interface IThing { }
        public delegate List<int> Handler(int number);
        const string Said = "struct Text";
    """
    assert declared(code) == ["Outer", "Inner", "Value", "IThing", "Handler"]


def test_player_assemblies_use_no_member_of_the_editor() -> None:
    assert len(EDITOR_ONLY) > 50
    assert list(editor_only_uses()) == []


def test_uses_outside_editor_guards_are_found() -> None:
    code = """
        // light.areaSize = one;
        light.areaSize = one;
        #if UNITY_EDITOR
        light.lightmapBakeType = Baked;
        #else
        var texture = new Texture2D(1, 1) { alphaIsTransparency = true };
        #endif
        bool isVariant = renderer.receiveGI == none;
        UnityEditor.AssetDatabase.Refresh();
        Log("light.shadowRadius");
    """
    members = ["Light.areaSize", "Texture2D.alphaIsTransparency", "MeshRenderer.receiveGI"]
    assert uses(code) == ["UnityEditor", *members]


def test_settings_and_scene_have_only_keys_that_the_editor_writes() -> None:
    assert len(FILES) == 4
    assert len(KEYS["PlayerSettings"][1]) > 600
    assert {path.name: defects(path.read_text(encoding="utf-8")) for path in FILES} == {
        path.name: [] for path in FILES
    }


def test_unknown_keys_parts_and_versions_of_settings_are_defects() -> None:
    scene = FILES[-1].read_text(encoding="utf-8")
    for written, wrong, defect in [
        ("m_Depth: -1", "m_Height: 1", "Camera has no key m_Height: remove it"),
        ("  serializedVersion: 6\n", "", "GameObject needs serializedVersion 6"),
        ("SceneRoots:", "Roots:", "Roots is not in settings_keys.txt"),
    ]:
        assert written in scene
        assert any(line.startswith(defect) for line in defects(scene.replace(written, wrong)))


def test_linux_players_prefer_opengl_and_allow_vulkan() -> None:
    settings = (PROJECT / "ProjectSettings" / "ProjectSettings.asset").read_text(encoding="utf-8")
    opengl, vulkan = "11000000", "15000000"  # 17 and 21 of GraphicsDeviceType, little-endian
    expected = f"LinuxStandaloneSupport\n    m_APIs: {opengl}{vulkan}\n    m_Automatic: 0\n"
    assert f"m_BuildTarget: {expected}" in settings


def test_lines_are_short_and_indented_by_spaces() -> None:
    sources = [*LUBAN.rglob("*.cs"), *(ROOT / "tests" / "csharp" / "headless").glob("*.cs")]
    for source in sources:
        lines = source.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if len(line) > 120 or "\t" in line] == [], source


def test_packages_are_pinned() -> None:
    manifest = json.loads((PROJECT / "Packages" / "manifest.json").read_text(encoding="utf-8"))
    packages = manifest["dependencies"]
    assert {"com.unity.ml-agents", "com.unity.test-framework"} <= set(packages)
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in packages.values())
    assert packages["com.unity.ml-agents"].startswith("4.0.")


def test_the_editor_is_a_long_term_release_of_unity_6() -> None:
    text = (PROJECT / "ProjectSettings" / "ProjectVersion.txt").read_text(encoding="utf-8")
    assert re.match(r"m_EditorVersion: 6000\.0\.\d+f\d+\n", text)


def test_the_scene_holds_the_bootstrap_script_and_is_the_one_that_is_built() -> None:
    scene = LUBAN / "Scenes" / "Bootstrap.unity"
    scripts = {guid_of(asset): asset for asset in assets() if asset.suffix == ".cs"}
    used = [scripts[guid].name for guid in GUID.findall(scene.read_text(encoding="utf-8"))]
    assert used == ["Bootstrap.cs"]
    settings = (PROJECT / "ProjectSettings" / "EditorBuildSettings.asset").read_text("utf-8")
    assert GUID.findall(settings) == [guid_of(scene)]
    path = scene.relative_to(PROJECT).as_posix()
    assert f"path: {path}\n" in settings
    build = (LUBAN / "Editor" / "BuildScript.cs").read_text(encoding="utf-8")
    assert f'"{path}"' in build


def test_the_parts_of_the_scene_refer_to_each_other() -> None:
    scene = (LUBAN / "Scenes" / "Bootstrap.unity").read_text(encoding="utf-8")
    there = set(re.findall(r"^--- !u!\d+ &(\d+)$", scene, flags=re.MULTILINE))
    used = set(re.findall(r"\{fileID: (\d+)\}", scene)) - {"0"}
    assert used <= there


def test_shaders_are_where_the_player_looks_for_them() -> None:
    bootstrap = (LUBAN / "Runtime" / "Bootstrap.cs").read_text(encoding="utf-8")
    shaders = re.findall(r'Shader = "(.*)";', bootstrap)
    assert len(shaders) == 3
    for name in shaders:
        source = (LUBAN / "Runtime" / "Resources" / f"{name}.shader").read_text(encoding="utf-8")
        assert f'Shader "{name}"' in source


def test_the_workflow_calls_methods_that_there_are() -> None:
    workflow = (ROOT / ".github" / "workflows" / "unity.yml").read_text(encoding="utf-8")
    build = (LUBAN / "Editor" / "BuildScript.cs").read_text(encoding="utf-8")
    called = set(re.findall(r"Luban\.Editor\.BuildScript\.(\w+)", workflow))
    assert called == {"BuildPlayer", "BuildServer"}
    assert all(f"public static void {method}()" in build for method in called)


def test_build_strips_no_code_of_either_player() -> None:
    build = (LUBAN / "Editor" / "BuildScript.cs").read_text(encoding="utf-8")
    pinned = re.findall(r"SetManagedStrippingLevel\(NamedBuildTarget\.(\w+), .*\.(\w+)\)", build)
    assert pinned == [("Standalone", "Disabled"), ("Server", "Disabled")]
    assert build.index("KeepAllCode();") < build.index("BuildPipeline.BuildPlayer(")
    assert "BuildOptions.StrictMode" not in re.sub(r"//.*", "", build)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_unity_makes_is_ignored_and_pictures_go_to_large_file_storage() -> None:
    def git(*arguments: str) -> str:
        command = ["git", *arguments]
        return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True).stdout

    if git("rev-parse", "--is-inside-work-tree").strip() != "true":
        pytest.skip("this is no checkout")
    made = ["Library/x", "Temp/x", "Logs/x", "obj/x", "UserSettings/x", "build/x"]
    assert git("check-ignore", *made).split() == made
    assert git("check-attr", "filter", "Assets/x.png").strip().endswith("lfs")
