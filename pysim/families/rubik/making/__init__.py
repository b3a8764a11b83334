"""The generator of scrambled cubes."""
