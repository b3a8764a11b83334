"""Cubes and nets for :mod:`perf.video_score`: pieces that are told by what sticks on them."""
