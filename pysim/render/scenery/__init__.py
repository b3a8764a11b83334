"""How bodies look, and what light, sky and ground there are."""

from pysim.render.scenery.dressing import DIAGRAM, Finish, Scenery, create_dressed

__all__ = ["DIAGRAM", "Finish", "Scenery", "create_dressed"]
