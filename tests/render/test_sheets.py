import numpy as np
import pytest

from pysim.catalog import find_family, find_level
from pysim.puzzle import PreviewPanel
from pysim.render.camera import list_cameras
from pysim.render.palette import parse_color
from pysim.render.previews import draw_preview
from pysim.render.renderer import MAX_SIZE, Renderer
from tests.render.scenes import lock

GAP = 2


def panels_of(level_id: str) -> tuple[PreviewPanel, ...]:
    level = find_level(level_id)
    return find_family(level).preview(level.puzzle)


def tiles(sheet: np.ndarray, size: int, columns: int) -> list[np.ndarray]:
    """The panels of a sheet, cut out again."""
    step = size + GAP
    rows = (len(sheet) + GAP) // step
    return [
        sheet[r * step : r * step + size, c * step : c * step + size]
        for r in range(rows)
        for c in range(columns)
    ]


def test_a_sheet_holds_every_panel_of_a_lock_in_order(renderer: Renderer) -> None:
    panels = panels_of("burr-piston")
    sheet = draw_preview(renderer, panels, 64)
    assert sheet.dtype == np.uint8 and sheet.shape == (2 * 66 - GAP, 4 * 66 - GAP, 3)
    for tile, panel in zip(tiles(sheet, 64, 4), panels, strict=True):
        picture = renderer.render(panel.scene, list_cameras(panel.scene)[:1], 64).rgb[0]
        assert np.array_equal(tile, picture)


def test_pieces_are_seen_in_their_own_colours(renderer: Renderer) -> None:
    panels = panels_of("burr-piston")[2:]
    hues = [parse_color(panel.scene.bodies[0].colour) for panel in panels]
    for i, tile in enumerate(tiles(draw_preview(renderer, panels, 64), 64, 3)):
        # Light changes how bright a face is, so the closest hue is asked for, not the same colour.
        middle = tile[24:40, 24:40].reshape(-1, 3).astype(float).mean(axis=0)
        unit = middle / np.linalg.norm(middle)
        likeness = [unit @ (np.array(hue) / np.linalg.norm(hue)) for hue in hues]
        assert int(np.argmax(likeness)) == i


def test_titles_stand_at_the_top_left_of_each_panel(renderer: Renderer) -> None:
    one, other = (
        draw_preview(renderer, [PreviewPanel(title, lock())], 128) for title in ("salmon", "forest")
    )
    rows, columns = np.nonzero((one != other).any(axis=2))
    assert len(rows) > 0 and rows.max() < 20 and columns.max() < 80


@pytest.mark.parametrize(
    ("count", "shape"), [(1, (1, 1)), (2, (1, 2)), (5, (2, 3)), (8, (2, 4)), (34, (5, 7))]
)
def test_a_sheet_leaves_few_places_empty(
    renderer: Renderer, count: int, shape: tuple[int, int]
) -> None:
    panel = panels_of("burr-piston")[2]
    sheet = draw_preview(renderer, [panel] * count, 16)
    assert sheet.shape == (shape[0] * 18 - GAP, shape[1] * 18 - GAP, 3)


def test_impossible_sheets_are_refused(renderer: Renderer) -> None:
    with pytest.raises(ValueError, match="at least one panel"):
        draw_preview(renderer, [], 64)
    for size in (0, MAX_SIZE + 1):
        with pytest.raises(ValueError, match=f"not {size}"):
            draw_preview(renderer, panels_of("burr-piston"), size)
