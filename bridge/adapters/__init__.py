"""Luban for other frameworks, each behind an extra: ``pip install luban[NAME]``."""
