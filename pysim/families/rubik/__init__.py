"""The Rubik's cube: turn faces until each is of one colour."""
