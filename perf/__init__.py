"""Benchmarks of speed, ``python -m perf.NAME [--json]``: ratios to a named peer in the same run."""
