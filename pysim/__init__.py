"""Simulator of Luban: puzzles, worlds and renderers. Private: import ``luban``."""
