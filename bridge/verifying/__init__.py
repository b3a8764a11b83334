"""Certificates: every claim of a level, held against the referee, the worlds and the films."""
