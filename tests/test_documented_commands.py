"""Every command and option that the documents name is one that there is."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import click
import pytest

from bridge.cli.app import app
from bridge.cli.commands.eval import bench_commands, find_bench_manifest
from bridge.runs.protocol import load_benches
from tests.pages import PAGES, ROOT, code_lines, inline_code

LUBAN = app
SUITES = {suite for bench in load_benches().values() for suite in bench.suites.values()}
ELSEWHERE = {
    "-lubanDevelopment": "unity_project/Assets/Luban/Editor/BuildArguments.cs",
    "--luban-no-physics": "unity_project/Assets/Luban/Runtime/PlayerOptions.cs",
    "--luban-show": "unity_project/Assets/Luban/Runtime/PlayerOptions.cs",
    "--mlagents-port": "bridge/unity/communicator.py",
    "--fault": "bridge/unity/reference_player/command.py",
    "--no-install-recommends": "tools/bootstrap.sh",
    "--check": "tools/build_assets.py",
    "--minutes": "perf/load.py",
    "--markdown": "tests/soak/__main__.py",
    "--every": "tests/soak/faults.py",
    "--first": "tests/soak/faults.py",
    "--families": "perf/render.py",
    "--peers": "perf/render.py",
    "--random": "tools/mutations.py",
    "--results": "tools/mutations.py",
    "--private": "tools/build_cubebench.py",
    "--long": "examples/reinforce.py",
    "--seeds": "examples/reinforce.py",
    "--blind": "examples/train_locks_by_sight.py",
}
"""Options of other programs, and where the house reads or gives them."""
TOYS = {"--slack": "bridge/cli/handlers/templates/bench/package/__init__.py.in"}
"""Options of what `luban init` writes, and where."""
FOREIGN = {
    "--rm",
    "--epochs",
    "--epochs-reducer",
    "--install-completion",
    "--show-completion",
    "--gpus",
    "--no-deps",
    "--only-binary",
    "--require-hashes",
    "--user",
    "-force-glcore",
    "-force-vulkan",
    "-nographics",
}
"""Options of inspect_ai, Docker, pip and Unity, and of `luban` without a command."""


def mentions(start: str) -> Iterator[str]:
    """What stands behind ``start`` wherever a page has it as code."""
    for page in PAGES:
        for line in (*code_lines(page), *inline_code(page)):
            found = re.match(rf"(?:[A-Z_]+=\S+ )?(?:\.venv/bin/)?{re.escape(start)} (.*)", line)
            if found:
                yield found[1]


def every_command(group: object = LUBAN, name: str = "") -> dict[str, set[str]]:
    """The options of every command, by its name as it is typed."""
    assert isinstance(group, click.Group)
    found: dict[str, set[str]] = {}
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        if isinstance(command, click.Group):
            found |= every_command(command, f"{name}{word} ")
        parameters = [*command.params]
        options = {o for p in parameters for o in (*p.opts, *p.secondary_opts)}
        found[f"{name}{word}"] = {o for o in options if o.startswith("-")} | {"--help", "-h"}
    return found


def options_of(command: Any) -> set[str]:
    return {o for p in command.params for o in (*p.opts, *p.secondary_opts)} | {"--help", "-h"}


BENCHES = {name: options_of(command) for name, command in bench_commands().items()}
COMMANDS = every_command() | {"eval": set().union(*BENCHES.values())}
EVERY_OPTION = set().union(*COMMANDS.values()) | {"--pool"}
"""One command of ``luban generate`` is written as an option."""
LINES = sorted(
    {
        shlex.join(shlex.split(line, comments=True))
        for line in mentions("luban")
        if not line.startswith(("--", "COMMAND", "= "))  # The last is Python.
    }
)


def told_apart(words: list[str]) -> tuple[str, list[str]]:
    """A command and what follows it."""
    for length in (2, 1):
        if (name := " ".join(words[:length])) in COMMANDS:
            return name, words[length:]
    raise AssertionError(f"there is no command {words[0]!r}")


def test_there_are_many_lines_to_look_at() -> None:
    assert len(LINES) > 50


@pytest.mark.parametrize("line", LINES)
def test_a_documented_line_has_a_command_and_options_that_there_are(line: str) -> None:
    name, words = told_apart(shlex.split(line))
    known = COMMANDS[name] | (EVERY_OPTION if name == "generate" else set())
    if name == "eval" and words[:1] and words[0] in SUITES:
        known = BENCHES[find_bench_manifest(words[0]).name]
    elif words[:1] == ["toy-bench"]:
        known = known | set(TOYS)
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known


def test_every_option_that_is_named_alone_is_one_of_some_program() -> None:
    named = {
        option
        for page in PAGES
        for code in inline_code(page)
        for option in re.findall(r"(?<!\S)--?[a-z][\w-]+", code)
    }
    assert named <= EVERY_OPTION | set(ELSEWHERE) | set(TOYS) | FOREIGN
    for option, path in (ELSEWHERE | TOYS).items():
        assert option in named
        assert option.lstrip("-") in (ROOT / path).read_text(encoding="utf-8")


def test_the_page_of_commands_lists_each_of_them_once() -> None:
    rows = re.findall(
        r"^\| `((?:generate |level (?=[a-z]))?[a-z-]+)", PAGES["cli"], flags=re.MULTILINE
    )
    assert sorted({*rows, "generate", "level"}) == sorted(COMMANDS)
    assert len(rows) == len(set(rows)) + 1, "eval has a row for levels and one for items"


@pytest.mark.parametrize("line", sorted(set(mentions("make"))))
def test_a_documented_target_can_be_made(line: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(line.split()[0])}:.*##", makefile, flags=re.MULTILINE)


@pytest.mark.parametrize("line", sorted({*mentions("python"), *mentions("python3")}))
def test_a_documented_script_is_there_and_reads_its_options(line: str) -> None:
    words = shlex.split(line, comments=True)
    path = words[1].replace(".", "/") + ".py" if words[0] == "-m" else words[0]
    code = (ROOT / path).read_text(encoding="utf-8")
    code += (ROOT / "perf" / "harness.py").read_text(encoding="utf-8")
    for name in re.findall(r"^from (\w+) import", code, re.MULTILINE):  # Beside the script.
        beside = (ROOT / path).with_name(f"{name}.py")
        code += beside.read_text(encoding="utf-8") if beside.is_file() else ""
    options = [word for word in words if word.startswith("--")]
    named = [(option, option[2:], f"{option[2:].replace('-', '_')}=") for option in options]
    assert all(
        f'"{o}"' in code or f'"{word}"' in code or f'{key}"' in code for o, word, key in named
    )
