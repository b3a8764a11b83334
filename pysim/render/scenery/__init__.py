"""Finish of bodies, and light, sky and ground."""

from pysim.render.scenery.dressing import DIAGRAM, Finish, Scenery, create_dressed

__all__ = ["DIAGRAM", "Finish", "Scenery", "create_dressed"]
