"""Interlocking burrs: Kongming (Lu Ban) locks."""
