"""Packing puzzles made by chance and checked by search (CHAIN, appendix A.5)."""
