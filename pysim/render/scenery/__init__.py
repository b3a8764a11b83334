"""Finish of bodies, and light, sky and ground."""

from pysim.render.scenery.dressing import DIAGRAM, PLAIN, Finish, Scenery, create_dressed

__all__ = ["DIAGRAM", "PLAIN", "Finish", "Scenery", "create_dressed"]
