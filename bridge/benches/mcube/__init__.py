"""M-Cube of MARBLE: questions about hollow cubes of six jigsaw pieces. See ``docs/jigsaw.md``."""
