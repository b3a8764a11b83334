"""Handlers of the commands, each in a module named after its command."""
