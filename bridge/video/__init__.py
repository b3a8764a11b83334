"""Scores of generated videos: analysis by synthesis under two hypotheses, lawful and free."""
