"""Cubes and nets plotted with matplotlib, which the paper's pictures are made with.

Needs the extra ``plots``. Figures are drawn by matplotlib's Agg, without windows or global state.
Bytes may differ between versions of matplotlib, so no item file seals these.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.benches.euclifold.drawings import ARROW, FILL_COLOURS, SQUARE, make_rotation
from pysim.errors import MissingPackage
from pysim.families.nets.cube import CornerView
from pysim.families.nets.faces import VISIBLE, Frame, Heading
from pysim.families.nets.folding import ArrowNet

__all__ = ["CubePlot", "NetPlot", "require_matplotlib"]

_DPI = 100
_ELEVATION, _AZIMUTH = 30.0, -45.0
"""Matplotlib counts azimuths from x: the eye stands in front, to the right."""
_MARGIN = 0.3
"""Around a net, in edges of a square."""
_ZOOM = 0.85
"""By which a cube is enlarged, so that it fills the page."""


def require_matplotlib() -> None:
    """Do nothing if matplotlib can be imported.

    Raises:
        MissingPackage: it can't.
    """
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise MissingPackage(
            "plots need matplotlib: pip install 'luban[plots]', or use --look paper"
        ) from error


@dataclass(frozen=True, slots=True)
class NetPlot:
    """A net; see :class:`pysim.items.Drawing`."""

    net: ArrowNet

    def draw(self, size: int) -> NDArray[np.uint8]:
        """(size, size, 3) sRGB.

        Raises:
            MissingPackage: there is no matplotlib.
        """
        return _page(size, self._plot)

    def _plot(self, figure: Any) -> None:
        from matplotlib.patches import Polygon

        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        for square, arrow in zip(self.net.shape, self.net.arrows, strict=True):
            axes.add_patch(Polygon(SQUARE + square, fill=False, edgecolor="black"))
            turned = ARROW @ make_rotation(arrow.way)
            axes.add_patch(Polygon(turned + square, facecolor=_paint(FILL_COLOURS[arrow.colour])))
        corners = np.concatenate([SQUARE + square for square in self.net.shape])
        middle, half = (corners.max(0) + corners.min(0)) / 2, np.ptp(corners, axis=0).max() / 2
        low, high = middle - half - _MARGIN, middle + half + _MARGIN
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        axes.set_axis_off()


@dataclass(frozen=True, slots=True)
class CubePlot:
    """A cube from the corner between its visible faces, on matplotlib's axes in three dimensions.

    See :class:`pysim.items.Drawing`.
    """

    view: CornerView

    def draw(self, size: int) -> NDArray[np.uint8]:
        """(size, size, 3) sRGB.

        Raises:
            MissingPackage: there is no matplotlib.
        """
        return _page(size, self._plot)

    def _plot(self, figure: Any) -> None:
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        axes = figure.add_axes(
            (0.0, 0.0, 1.0, 1.0), projection="3d", proj_type="ortho", computed_zorder=False
        )
        for face, arrow in zip(VISIBLE, self.view, strict=True):
            frame = Frame(face, arrow.towards)
            for order, (points, paint) in enumerate(
                ((SQUARE, None), (ARROW, FILL_COLOURS[arrow.colour]))
            ):
                colours = {"facecolor": "white", "edgecolor": "black"}
                if paint is not None:
                    colours = {"facecolor": _paint(paint)}
                corners = [_in_room(frame, points)]
                axes.add_collection3d(Poly3DCollection(corners, zorder=order, **colours))
        axes.set(xlim=(-0.5, 0.5), ylim=(-0.5, 0.5), zlim=(-0.5, 0.5))
        axes.set_box_aspect((1.0, 1.0, 1.0), zoom=_ZOOM)
        axes.view_init(_ELEVATION, _AZIMUTH)
        axes.set_axis_off()


def _in_room(frame: Frame, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3): points of a face of the cube of edge 1 around the origin."""
    right, up, out = (
        np.array(face.side.vector, dtype=np.float64)
        for face in (frame.find_face(Heading.RIGHT), frame.up, frame.outward)
    )
    there: NDArray[np.float64] = points @ np.array([right, up]) + out / 2.0
    return there


def _paint(rgb: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _page(size: int, plot: Callable[[Any], None]) -> NDArray[np.uint8]:
    """Return a white page with a plot on it."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(size / _DPI, size / _DPI), dpi=_DPI, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    plot(figure)
    canvas.draw()
    return np.array(np.asarray(canvas.buffer_rgba())[..., :3], dtype=np.uint8)
