"""Scores of videos, leaderboards of models, and the page for people who annotate."""
