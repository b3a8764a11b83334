"""Judges what levels claim, and shares no code with what made the claims."""
