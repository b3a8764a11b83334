"""PyBullet's software renderer, for machines without OpenGL."""

from pysim.render.tiny.renderer import TinyRenderer

__all__ = ["TinyRenderer"]
