"""Cubes for policies that learn: rows of numbers, by the thousand."""
