"""Jigsaw cubes: six flat pieces with teeth and notches that become the faces of a hollow cube."""
