"""A player without Unity: what a build of unity_project/ does, with a world of pysim inside."""
