"""The commands of the pages, run as a reader meets them: page by page, each from an empty folder.

By day the guides are run with options that do less of the same, by night all pages as they are.
:data:`ELSEWHERE` names in one place the lines that are not run here, with the reason.
"""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import ROOT, Luban
from tests.pages import PAGES
from tests.test_site import GUIDES, list_sections

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)
WRITTEN = ("commands", "api")
"""Pages that a tool writes: their commands have no values."""

ELSEWHERE = {
    r"openai:|MODEL|URL\b": "asks a model: needs a key, or a server of a model",
    r"runs/(model|blind|notes|gpt-5|m|wrong|pictures|person)\b": (
        "reads a run of a model, or of a person"
    ),
    r"HEAD|--ray \d|--ray local": "needs a cluster; tests/jobs and tests/cli/test_ray.py start one",
    r"--agent human": "asks a person; tests/cli/test_people.py types the answers",
    r"^luban serve": "serves until interrupted; the page `server` is run below",
    r"--server ": "plays on a server; the page `server` is run below",
    r"^luban web(?!.*--(save|check))": "serves until interrupted; tests/web opens its pages",
    r"world unity|unity-player|runs/NAME": "needs a Unity player; tests/unity starts the stand-in",
    r"toy-|toys|runs/tight": "needs packages that are installed; tests/cli/test_init.py does so",
    r"rows\.json|own\.json|--bench chain|boxes-box": (
        "reads files of authors; tests/cli/test_import_suite.py has some"
    ),
    r"veo/|take\.mp4": "needs videos of models; tests/video forges some",
    r"--adapter chat": "plays a hundred pictures; tests/sight does so",
    r"count 5000|chain-109 (--first|$)|burr --seconds|burr packing": "takes hours",
    r"^luban verify (chain-109|mine/)": "takes minutes a level; see tests/cli/test_verify.py",
    r"--private|--count 4000|secret\.pool": (
        "draws secret levels for minutes; tests/tasks does so"
    ),
    r"cubebench-160": "plays code in a sandbox; tests/benches/cubebench does so",
}
"""Lines that are not run here, as patterns, and the reason."""
LONG = (
    r"climb|six/|score-video|kind cube|dataset|bundle|locks-32|luban-120|generate (portal|jigsaw)"
)
"""Lines of guides that are left to the night."""
BEFORE = {
    "datasets": [
        "eval demo --agent oracle --observation state --video none --out runs/oracle",
        "play burr-half-lap --video none --observation state --name one",
    ],
    "eval": ["eval locks-32 --agent oracle --limit 2 --observation state --out runs/oracle"],
    "levels": ["export burr-half-lap --out cube.xmpuzzle"],
    "web": ["play burr-half-lap --video none --name piston"],
}
"""Commands of pages that the reader has seen before."""
CHEAP = {
    "bundle": ("--film-size", "208x120"),
    "eval": ("--observation", "state", "--video", "none", "--limit", "1", "--workers", "1"),
    "generate": ("--count", "1"),
    "play": ("--observation", "state", "--video", "none"),
    "show": ("--image-size", "32"),
    "verify": ("--no-films",),
}
"""Options with which the commands do less of the same."""


def list_pages() -> list[str]:
    """Return all pages with commands, in the order of the site, the nested ones last."""
    listed = [page for pages in list_sections().values() for page in pages]
    rest = sorted({*PAGES} - {*listed, *WRITTEN, "README"})
    return [page for page in [*listed, *rest] if page not in WRITTEN and list_lines(page)]


def list_lines(page: str) -> list[str]:
    """Return the commands of a page, each on one line and without its comment."""
    blocks = [code for language, code in BLOCK.findall(PAGES[page]) if language in ("", "sh")]
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.split()[:1] == ["luban"]]


def find_reason(line: str) -> str:
    """Return why a line isn't run here; empty if it is."""
    return next((why for pattern, why in ELSEWHERE.items() if re.search(pattern, line)), "")


def run_line(luban: Luban, line: str, *, quick: bool) -> None:
    """Run a command of a page, which has to succeed."""
    words = shlex.split(line, comments=True)[1:]
    out = words[words.index(">") + 1] if ">" in words else ""
    words = words[: words.index(">")] if out else words
    more = [*CHEAP.get(words[0], ())] if quick else []
    if words[0] == "report" and "report.html" in words and quick:
        more = ["--pictures", "0"]
    if words[0] == "replay" and "--video" in words and quick:
        return
    if "--force" not in words and words[0] in ("report", "export") and is_made(words):
        more += ["--force"]  # A page of this site may show a command twice.
    done = luban(*words, *more)
    assert done.status == 0, (line, done.err)
    if out:
        Path(out).write_text(done.out, encoding="utf-8")


def is_made(words: list[str]) -> bool:
    """Return whether a command of the same page has made the file already."""
    return "--out" in words and Path(words[words.index("--out") + 1]).exists()


def prepare(luban: Luban, page: str) -> None:
    """Put the files there that the page shows, and those of pages before."""
    for before in BEFORE.get(page, ()):
        assert luban(*shlex.split(before)).status == 0
    if page == "datasets":
        shutil.copy("runs/one/episode.jsonl", "episode.jsonl")
    if page in ("levels", "web"):
        (shown, *_) = [code for language, code in BLOCK.findall(PAGES[page]) if language == "json"]
        Path({"levels": "draft.json", "web": "study.json"}[page]).write_text(shown)


def list_cases() -> Iterator[object]:
    for page in list_pages():
        if page in GUIDES:
            yield pytest.param(page, True, id=f"{page}-quick")
        yield pytest.param(page, False, id=page, marks=pytest.mark.slow)


@pytest.mark.parametrize(("page", "quick"), [*list_cases()])
def test_commands_of_a_page_run_in_its_order(luban: Luban, page: str, quick: bool) -> None:
    lines = [line for line in list_lines(page) if not find_reason(line)]
    if quick:
        lines = [line for line in lines if not re.search(LONG, line)]
    if not lines:
        pytest.skip("NOT TESTED: no line of it is run here")
    prepare(luban, page)
    for line in lines:
        if page == "score-videos" and "score-video" in line:
            Path("mymodel").mkdir()
            shutil.copy("bundles/burr-half-lap/video.mp4", "mymodel/burr-half-lap.mp4")
        run_line(luban, line, quick=quick)


def test_most_lines_are_run_and_each_reason_is_used() -> None:
    lines = [line for page in list_pages() for line in list_lines(page)]
    run = [line for line in lines if not find_reason(line)]
    assert len(run) > 90
    unused = [p for p in ELSEWHERE if not any(re.search(p, line) for line in lines)]
    assert not unused


def test_no_folder_is_given_to_two_runs_of_a_page() -> None:
    for page in list_pages():
        runs = {tuple(shlex.split(line, comments=True)) for line in list_lines(page)}
        evals = [words for words in runs if words[1] == "eval" and "--out" in words]
        folders = [words[words.index("--out") + 1] for words in evals]
        assert len(folders) == len({*folders}), page


def test_reasons_name_tests_that_there_are() -> None:
    for reason in ELSEWHERE.values():
        for path in re.findall(r"tests/[\w/.]+", reason):
            assert (ROOT / path).exists(), path


def find_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("openssl"), reason="NOT TESTED: no openssl")
def test_page_of_servers_runs_in_a_shell_as_it_is(tmp_path: Path) -> None:
    """A server serves while the lines after it play, first without and then with a certificate."""
    port = find_port()
    blocks = [code for language, code in BLOCK.findall(PAGES["server"]) if language == "sh"]
    script = "\n".join(blocks).replace("50051", str(port))
    assert script.count("luban serve") == 2
    wait = f"until (: </dev/tcp/127.0.0.1/{port}) 2>/dev/null; do sleep 0.1; done"
    stop = 'if [ -n "$server" ]; then kill $server; wait; fi'
    serve = rf"{stop}; \1 & server=$!; {wait}"
    script = re.sub(r"^(luban serve .*)$", serve, script, flags=re.MULTILINE)
    script = f"set -e\nserver=\ntrap 'kill $server' EXIT\n{script}"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    home = tmp_path / "home"
    home.mkdir()
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "HOME": str(home), "XDG_STATE_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("SOLVED in 1 steps") == 2


PROGRAMS = [
    pytest.param("first-episode"),
    pytest.param("notebook"),
    pytest.param("train", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("page", PROGRAMS)
def test_programs_of_a_guide_run_in_an_empty_folder(tmp_path: Path, page: str) -> None:
    programs = [code for language, code in BLOCK.findall(PAGES[page]) if language == "python"]
    assert programs
    for program in programs:
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        promised = re.findall(r"print\(.*\)  # (.+)$", program, flags=re.MULTILINE)
        assert [line for line in promised if line not in done.stdout.splitlines()] == []
