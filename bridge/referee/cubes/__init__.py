"""The referee for Rubik's cubes."""
