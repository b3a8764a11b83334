"""Clips for :mod:`perf.video_score`: true films made worse, and films that are corrupted."""
