"""A person at a real browser: what is clicked, typed and dragged."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bridge.episode.tools import ToolCall
from pysim.field_types import Json
from tests.waiting import PATIENCE

__all__ = ["COARSE", "Screen", "open_screen"]

EXPECTED = ("WebSocket connection", "ERR_CONNECTION_REFUSED", "GPU stall")
"""Of a browser whose server is gone, or that draws in software."""
COARSE: dict[str, Any] = {
    "viewport": {"width": 1000, "height": 700},
    "device_scale_factor": 0.25,  # Without a GPU each pixel of a scene takes its time.
    "reduced_motion": "reduce",
}
_FIND = """(name) => {
  const [viewer] = luban.viewers, box = viewer.canvas.getBoundingClientRect();
  for (let y = 10; y < box.height - 10; y += 12) for (let x = 10; x < box.width - 10; x += 12) {
    const at = { clientX: box.left + x, clientY: box.top + y }, hit = viewer.find(at);
    const near = [[6, 0], [-6, 0], [0, 6], [0, -6]].map(([a, b]) =>
      viewer.find({ clientX: at.clientX + a, clientY: at.clientY + b }));
    if (hit?.name === name && near.every((one) => one?.name === name))
      return [at.clientX, at.clientY, ...hit.place.toArray()];
  }
  return null;
}"""
_PIXEL = "(place) => luban.viewers[0].pixel(place)"
_STATS = "() => luban.viewers[0].stats"


class Screen:
    """A tab of a browser on a server's pages; complaints of the page are kept."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._listen)

    def _listen(self, message: Any) -> None:
        is_bad = message.type in ("error", "warning")
        if is_bad and not any(text in message.text for text in EXPECTED):
            self.complaints.append(message.text)

    def go(self, place: str = "") -> None:
        self.page.goto(f"{self.address}{place}")

    def begin(self, mode: str = "scene", level: int = 0) -> None:
        """Begin a level in one of the three ways."""
        self.go(f"#/play/{level}")
        self.page.click(f".choice.{mode}")
        self.page.wait_for_selector(".actions .act:enabled")

    def act(self, call: ToolCall) -> None:
        """Make an action with the panel and the mouse, and wait for what comes of it."""
        turns = self.page.locator(".history li").count()
        self.fill(call)
        self.page.click(".act")
        self.wait_for_turn(turns)

    def fill(self, call: ToolCall) -> None:
        """Fill the panel in, without making the action."""
        self.page.locator(".tabs button", has_text=_whole(call.name)).click()
        for name, value in call.arguments.items():
            self._fill(name, value)

    def wait_for_turn(self, turns: int) -> None:
        """Wait until one more turn than so many is listed, or the episode is over."""
        self.page.locator(".history li").nth(turns).wait_for()
        self.page.wait_for_selector(".act:enabled, .over")

    def _fill(self, name: str, value: Json) -> None:
        label = name.replace("_", " ")
        field = self.page.locator(".field", has=self.page.locator(".name", has_text=_whole(label)))
        if field.locator(".layer").count():
            assert isinstance(value, list)
            self._fill_cells(field, value)
        elif field.locator(".cell").count():
            assert isinstance(value, list)
            for axis, number in zip("xyz", value, strict=True):
                field.get_by_label(f"{label}, {axis}").fill(str(number))
        elif field.locator("select").count():
            field.locator("select").select_option(str(value))
        elif isinstance(value, int):
            field.locator("input").fill(str(value))
        else:
            self._choose(field, set(value) if isinstance(value, list) else {value})

    def _choose(self, field: Any, wanted: set[Any]) -> None:
        """Press chips until just the wanted ones are pressed."""
        for chip in field.locator(".chip").all():
            pressed = chip.get_attribute("aria-pressed") == "true"
            if (chip.inner_text().strip() in wanted) != pressed:
                chip.click()

    def _fill_cells(self, field: Any, cells: list[Any]) -> None:
        field.get_by_text("no cells").click()
        for x, y, z in sorted(cells, key=lambda cell: int(cell[2])):
            while (now := int(field.locator(".layer-title").inner_text().split()[-1])) != z:
                field.get_by_text("higher" if now < z else "lower").click()
            field.get_by_label(f"x {x}, y {y}, z {z}", exact=True).click()

    # -- pointing ------------------------------------------------------------------------------

    def find(self, name: str) -> tuple[float, float, list[float]]:
        """A pixel where a body is seen, and its place in the world; the view is turned for it."""
        for _ in range(24):
            found = self.page.evaluate(_FIND, name)
            if found:
                return found[0], found[1], found[2:]
            self.page.focus("canvas.scene")
            self.page.keyboard.press("ArrowRight")
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{name} is not seen from any side")

    def drag(self, names: list[str], way: tuple[int, int, int], units: int) -> None:
        """Choose bodies by clicks, shift for all but the first, and drag them along an axis."""
        page = self.page
        turns = page.locator(".history li").count()
        for number, name in enumerate(names):
            x, y, _ = self.find(name)
            page.mouse.move(x, y)
            if number:
                page.keyboard.down("Shift")
            page.mouse.down()
            page.mouse.up()
            page.keyboard.up("Shift")
        x, y, place = self.find(names[-1])
        end = [a + units * b for a, b in zip(place, way, strict=True)]
        to = page.evaluate(_PIXEL, end)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move((x + to[0]) / 2, (y + to[1]) / 2, steps=4)
        page.mouse.move(*to, steps=4)
        page.mouse.up()
        self.wait_for_turn(turns)

    # -- seeing --------------------------------------------------------------------------------

    @property
    def stats(self) -> Mapping[str, int]:
        """Frames that were drawn, and draw calls of the last."""
        found: Mapping[str, int] = self.page.evaluate(_STATS)
        return found

    def text(self, selector: str) -> str:
        found: str = self.page.locator(selector).first.inner_text()
        return found


@contextmanager
def open_screen(browser: Any, address: str, **options: Any) -> Iterator[Screen]:
    """Open a tab in a context of its own; its page must have nothing to complain about."""
    context = browser.new_context(**COARSE | options)
    context.set_default_timeout(1000.0 * PATIENCE)
    try:
        screen = Screen(context.new_page(), address)
        yield screen
        assert screen.complaints == []
    finally:
        context.close()


def _whole(name: str) -> Any:
    return re.compile(rf"^\s*{re.escape(name.replace('_', ' '))}\s*$", re.IGNORECASE)
