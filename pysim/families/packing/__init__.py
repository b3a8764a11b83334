"""Packing: polycubes that fill a box, each brought in along a straight way."""
