"""What :mod:`perf.video_score` consists of."""
