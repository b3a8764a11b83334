"""Proof that pictures reach an agent: adapters, an agent that reads pixels, and the check."""
