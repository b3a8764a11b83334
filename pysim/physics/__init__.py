"""Worlds: they execute motions of bodies and say what happened."""
