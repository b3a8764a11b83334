"""Golden pictures of scenes, as the viewer draws them: ``python -m tests.web.goldens`` renews them.

They hold no text, so that fonts don't matter.
"""

import base64
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.browsing import open_browser
from tests.web.screens import open_screen
from tests.web.servers import serve
from tests.web.test_playing import SHORT
from tests.web.test_replays import SPOKEN

__all__ = ["FOLDER", "draw_all", "read"]

FOLDER = Path(__file__).parents[1] / "golden/web"
WINDOW = {"viewport": {"width": 700, "height": 600}}
"""Pictures have a size of their own, so that the scene on the page may be coarse."""
_DRAW = "() => { luban.viewers[0].setRuler(false); return luban.viewers[0].picture(320, 240); }"
_REFUSED = """() => {
  const [viewer] = luban.viewers;
  viewer.mark([[...viewer.bodies.keys()][0]], "selected");
  viewer.mark([[...viewer.bodies.keys()][1]], "blamed");
}"""


def draw_all(browser: Any, families: int = len(SHORT)) -> Iterator[tuple[str, bytes]]:
    """Draw families at first and after the plan, refused moves, and a replay; PNG files.

    Args:
        browser: an open one.
        families: number of those that are drawn, beginning with locks.
    """
    with (
        tempfile.TemporaryDirectory() as runs,
        serve([*(level.id for level in SHORT), str(SPOKEN)], Path(runs)) as server,
        open_screen(browser, server.address, **WINDOW) as screen,
    ):
        for number, level in enumerate(SHORT[:families]):
            screen.begin("practice", number)
            yield f"{level.family}.png", _decode(screen.page.evaluate(_DRAW))
            if number == 0:
                screen.page.evaluate(_REFUSED)
                yield "refused.png", _decode(screen.page.evaluate(_DRAW))
            screen.go(f"#/level/{number}")
            screen.page.click("text=Show a plan")
            steps = screen.page.locator(".steps li button")
            steps.last.click()
            screen.page.wait_for_timeout(300)
            last = "() => luban.viewers[1].picture(320, 240)"
            yield f"{level.family}-solved.png", _decode(screen.page.evaluate(last))
        screen.go("#/replay/0")
        screen.page.locator(".steps .refused button").last.click()
        screen.page.wait_for_timeout(1000)
        first = "() => luban.viewers[0].picture(320, 240)"
        yield "replay.png", _decode(screen.page.evaluate(first))


def _decode(url: str) -> bytes:
    return base64.b64decode(url.partition(",")[2])


def read(data: bytes) -> NDArray[np.uint8]:
    """Return a picture (H, W, 4), the last the opacity."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    return picture.astype(np.uint8)


def main() -> None:
    """Write all pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    with open_browser() as chromium:
        for name, data in draw_all(chromium):
            (FOLDER / name).write_bytes(data)
            print(name, len(data), file=sys.stderr)


if __name__ == "__main__":
    main()
