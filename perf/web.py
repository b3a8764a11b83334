"""Pages of ``luban web`` in a real browser: how soon the first is there, and a hundred at once.

The first page is the page of a level, in a fresh context of Chromium that draws in software, so
that nothing of it is kept from before. Its time runs from the navigation until the first triangles
are drawn, which is noted by a wrapper around WebGL's draw calls. Beside it, in turns and in the
same browser, is the viewer that trimesh writes for notebooks (``scene_to_html``), also made of
three.js, with the same pieces, from a plain file server.

Then a hundred pages at once play the plan of a lock over WebSockets on one server.
"""

import gzip
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bridge.episode.tools import ToolCall
from perf.harness import Report, run_benchmark
from pysim.catalog import AnyLevel, find_level

__all__ = ["measure"]

LEVEL = "burr-piston"
SHORT = "burr-three-bars"
PAGES = 100
LARGEST = 2**20
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
_NOTE_FIRST = """
for (const kind of [WebGLRenderingContext, WebGL2RenderingContext]) {
  for (const name of ["drawArrays", "drawElements", "drawElementsInstanced"]) {
    const draw = kind.prototype[name];
    if (!draw) continue;
    kind.prototype[name] = function (...rest) {
      window.firstDrawn ??= performance.now();
      return draw.apply(this, rest);
    };
  }
}
"""


def measure(*, rounds: float) -> Report:
    """Measure both; without a browser the pages at once alone."""
    report = Report("web")
    script = (Path(__file__).parents[1] / "bridge/web/static/app.js").read_bytes()
    report.figures["js_bytes"] = len(script)
    report.targets["js_bytes"] = ("<=", LARGEST)
    report.figures["js_bytes_gzip"] = len(gzip.compress(script))
    with TemporaryDirectory() as folder:
        _measure_first_pages(report, Path(folder), int(rounds))
        _measure_many(report, Path(folder))
    return report


# -- the first page -------------------------------------------------------------------------------


def _measure_first_pages(report: Report, folder: Path, rounds: int) -> None:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        report.notes["first_page_s"] = f"not measured: no browser here, none of {BROWSERS}"
        return
    from playwright.sync_api import sync_playwright

    (folder / "peer").mkdir()
    (folder / "peer/index.html").write_text(_write_peer(find_level(LEVEL)), encoding="utf-8")
    with (
        _serve_luban([LEVEL, SHORT], folder / "runs") as ours,
        _serve_files(folder / "peer") as peer,
        sync_playwright() as playwright,
    ):
        page = f"{ours}#/level/0"
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        for address in (page, peer):  # The first context of all starts processes of the browser.
            _time_first_frame(browser, address)
        times = [
            (_time_first_frame(browser, page), _time_first_frame(browser, peer))
            for _ in range(rounds)
        ]
        browser.close()
    mine, theirs = zip(*times, strict=True)
    report.figures["first_page_s"] = median(mine)
    report.figures["first_page_slowest_s"] = max(mine)
    report.figures["first_page_trimesh_s"] = median(theirs)
    report.figures["times_of_trimesh"] = median(a / b for a, b in times)
    report.targets["first_page_slowest_s"] = ("<=", 2.0)


def _time_first_frame(browser: Any, address: str) -> float:
    """Return the seconds from navigation to the first draw call of a page with nothing cached."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        page.add_init_script(_NOTE_FIRST)
        page.goto(address)
        page.wait_for_function("() => window.firstDrawn", timeout=60_000)
        return float(page.evaluate("() => window.firstDrawn")) / 1000.0
    finally:
        context.close()


def _write_peer(level: AnyLevel) -> str:
    """Return trimesh's page of the pieces of a level."""
    import trimesh
    from trimesh.viewer.notebook import scene_to_html

    from bridge.meshes.pieces import list_bodies, make_pieces
    from pysim.geometry.solids import Dimensions

    scene = trimesh.Scene()
    for piece in make_pieces(list_bodies(level), Dimensions()):
        faces = piece.solid.triangles
        colors = np.tile([*piece.colour, 255], (len(faces), 1)).astype(np.uint8)
        scene.add_geometry(
            trimesh.Trimesh(piece.place_vertices(), faces, face_colors=colors, process=False)
        )
    return str(scene_to_html(scene))


# -- many pages -----------------------------------------------------------------------------------


def _measure_many(report: Report, folder: Path) -> None:
    from websockets.sync.client import connect
    from websockets.typing import Origin

    level = find_level(SHORT)
    assert level.plan is not None
    calls = [ToolCall.of(action) for action in level.plan.actions]
    waits: list[float] = []

    def ask(socket: Any, **request: object) -> dict[str, Any]:
        began = time.monotonic()
        socket.send(json.dumps(request))
        answer: dict[str, Any] = json.loads(socket.recv(timeout=120))
        waits.append(time.monotonic() - began)
        return answer

    def play(number: int) -> bool:
        with connect(place, origin=Origin(address.rstrip("/")), max_size=None) as socket:
            ask(socket, type="start", level=0)
            socket.recv(timeout=120)  # The state, after the head.
            for call in calls:
                turn = ask(socket, type="act", name=call.name, arguments=dict(call.arguments))
        return bool(turn["state"]["outcome"] == "SOLVED")

    with (
        _serve_luban([SHORT], folder / "many") as address,
        ThreadPoolExecutor(PAGES) as pages,
    ):
        place = address.replace("http", "ws", 1).rstrip("/") + "/api/play"
        began = time.monotonic()
        solved = sum(pages.map(play, range(PAGES)))
        seconds = time.monotonic() - began
    report.figures["pages_solved"] = solved
    report.targets["pages_solved"] = (">=", PAGES)
    report.figures["answers_per_s"] = len(waits) / seconds
    report.figures["answer_ms_median"] = 1000 * median(waits)
    report.figures["answer_ms_95"] = 1000 * sorted(waits)[int(0.95 * len(waits))]
    report.targets["answer_ms_95"] = ("<=", 2000.0)


# -- servers --------------------------------------------------------------------------------------


@contextmanager
def _serve_luban(names: list[str], runs: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bridge.cli", "web", *names, "--runs", str(runs)]
    with _run(command) as line:
        yield line


@contextmanager
def _serve_files(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]
    with _run([*command, "--directory", str(folder)]) as line:
        yield line


@contextmanager
def _run(command: list[str]) -> Iterator[str]:
    """Run a server, and give the address that it prints."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://[^\s)]+", process.stdout.readline())
        assert found is not None, command
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=30)
        process.stdout.close()


if __name__ == "__main__":
    run_benchmark(
        measure, "Pages in a browser.", numbers={"rounds": (5, "loads of the first page")}
    )
