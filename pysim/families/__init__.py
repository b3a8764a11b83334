"""The families of puzzles, one package each; found by :mod:`pysim.catalog`."""
