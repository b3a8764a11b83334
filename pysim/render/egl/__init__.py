"""The OpenGL renderer: moderngl on EGL, so it needs no display and runs on a GPU or in software."""

from pysim.render.egl.renderer import EglRenderer

__all__ = ["EglRenderer"]
