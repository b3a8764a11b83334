"""Cube Bench: its metrics, and its tables in the paper's layout."""
