"""Cubes and nets for :mod:`benchmarks.video_score`: pieces that are told by what sticks on them."""
