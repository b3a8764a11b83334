"""What :mod:`benchmarks.video_score` consists of."""
