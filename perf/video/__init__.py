"""Parts of :mod:`perf.video_score`."""
