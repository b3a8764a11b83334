"""Options of the commands that are about video models."""
