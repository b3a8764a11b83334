"""Judges Luban's claims, and shares no code with what makes them."""
