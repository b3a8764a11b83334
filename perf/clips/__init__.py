"""Clips for :mod:`perf.video_bench`: true films made worse, and films that are corrupted."""
