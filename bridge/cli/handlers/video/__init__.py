"""Handlers of the commands for video models."""
