"""Locks that are built rather than looked up: frames of bars, how they are notched, joints."""
