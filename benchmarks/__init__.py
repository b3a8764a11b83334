"""Benchmarks, ``python -m benchmarks.NAME [--json]``: ratios to a named peer in the same run."""
