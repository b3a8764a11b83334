"""EucliFold: statements about cubes with arrows and their nets. See ``docs/euclifold.md``."""
