"""Designs in files: reading, writing, and the way from a design to a lock and back."""
