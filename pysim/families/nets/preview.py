"""Preview of a level: each net from above, and the goal."""

from pysim.families.nets.plates import make_net_scene
from pysim.families.nets.puzzle import NetPuzzle
from pysim.families.nets.scene import make_goal_scene
from pysim.puzzle import PreviewPanel

__all__ = ["make_preview"]


def make_preview(puzzle: NetPuzzle) -> tuple[PreviewPanel, ...]:
    """Return one panel for each net, and one for the target if there is one."""
    titles = ("net",) if len(puzzle.nets) == 1 else ("first net", "second net")
    nets = zip(titles, puzzle.nets, strict=True)
    panels = tuple(PreviewPanel(title, make_net_scene(net.net)) for title, net in nets)
    goal = make_goal_scene(puzzle)
    return panels if goal is None else (*panels, PreviewPanel("target", goal))
