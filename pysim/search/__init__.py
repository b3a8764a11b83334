"""Generic search, with no puzzle words in it."""
