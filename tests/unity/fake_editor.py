"""A program in the place of Unity's Editor: ``python -m tests.unity.fake_editor ARGUMENTS``.

It reads the command lines that GameCI's scripts write, logs them, and leaves the files that the
Editor would: a player at the place of a build, a results file of tests. Arguments that the Editor
or our BuildScript would reject end it with the Editor's exit status. Environment:

- ``FAKE_EDITOR_LOG``: a file that gets each command line, as JSON
- ``FAKE_EDITOR_PLAYER``: the executable behind the player that a build leaves
- ``FAKE_EDITOR_REFUSALS``: how many activations fail before one succeeds
- ``FAKE_EDITOR_FAILS``: ``tests`` or ``build``, which then fails
"""

import json
import os
import re
import sys
from pathlib import Path

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[2]
BUILD_SCRIPT = ROOT / "unity_project" / "Assets" / "Luban" / "Editor" / "BuildScript.cs"
OK, FAILED, WRONG = 0, 1, 2
TESTS_FAILED = 2
TARGETS = ("StandaloneLinux64", "Linux64")
RESULTS = """<?xml version="1.0" encoding="utf-8"?>
<test-run id="2" testcasecount="2" result="{result}" total="2" passed="{passed}" failed="{failed}"
    skipped="0" duration="0.1">
  <test-suite type="Assembly" fullname="Luban.Tests" result="{result}">
    <test-case name="First" fullname="Luban.Tests.First" result="Passed" duration="0.1" />
    <test-case name="Second" fullname="Luban.Tests.Second" result="{result}" duration="0.1" />
  </test-suite>
</test-run>
"""


def main(arguments: list[str]) -> int:
    """Do what the command line says, and return the Editor's exit status."""
    log = Path(os.environ["FAKE_EDITOR_LOG"])
    earlier = log.read_text("utf-8").splitlines() if log.exists() else []
    log.write_text("\n".join([*earlier, json.dumps(arguments)]) + "\n", encoding="utf-8")
    options = _read(arguments)
    if "logFile" in options and not options["logFile"].startswith("/dev/"):
        Path(options["logFile"]).write_text(" ".join(arguments) + "\n", encoding="utf-8")
    if "serial" in options:
        return _activate(options, [line for line in earlier if '"-serial"' in line])
    if "returnlicense" in options:
        return OK
    if not (Path(options["projectPath"]) / "ProjectSettings" / "ProjectVersion.txt").is_file():
        return FAILED
    return _test(options) if "runTests" in options else _build(options, arguments)


def _read(arguments: list[str]) -> dict[str, str]:
    """Return each ``-option`` with the word behind it, or with nothing."""
    pairs = zip(arguments, [*arguments[1:], "-"], strict=True)
    return {
        word[1:]: "" if behind.startswith("-") else behind
        for word, behind in pairs
        if word.startswith("-")
    }


def _activate(options: dict[str, str], earlier: list[str]) -> int:
    if not (options["serial"] and options.get("username") and options.get("password")):
        return FAILED
    return FAILED if len(earlier) < int(os.environ.get("FAKE_EDITOR_REFUSALS", "0")) else OK


def _test(options: dict[str, str]) -> int:
    if options["testPlatform"].lower() not in ("editmode", "playmode"):
        return FAILED
    fails = os.environ.get("FAKE_EDITOR_FAILS") == "tests"
    result = {"result": "Failed", "passed": 1, "failed": 1}
    result = result if fails else {"result": "Passed", "passed": 2, "failed": 0}
    Path(options["testResults"]).write_text(RESULTS.format(**result), encoding="utf-8")
    return TESTS_FAILED if fails else OK


def _build(options: dict[str, str], arguments: list[str]) -> int:
    methods = re.findall(r"public static void (\w+)\(\)", BUILD_SCRIPT.read_text("utf-8"))
    method = options["executeMethod"].removeprefix("Luban.Editor.BuildScript.")
    server = options.get("standaloneBuildSubtarget") == "Server"
    if method not in methods or options["buildTarget"] not in TARGETS:
        return FAILED
    if any(word.startswith("-luban") for word in arguments) or not options["customBuildPath"]:
        return WRONG
    if os.environ.get("FAKE_EDITOR_FAILS") == "build" or server != (method == "BuildServer"):
        return FAILED
    _leave_player(Path(options["customBuildPath"]))
    return OK


def _leave_player(place: Path) -> None:
    """Write the files of a build for Linux. The ending is that of BuildArguments."""
    player = place if place.suffix == ".x86_64" else place.with_name(place.name + ".x86_64")
    data = player.with_name(player.stem + "_Data")
    data.mkdir(parents=True)
    (data / "boot.config").write_text("", encoding="utf-8")
    command = f'exec "{os.environ["FAKE_EDITOR_PLAYER"]}" "$@"'
    player.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    player.chmod(0o755)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
