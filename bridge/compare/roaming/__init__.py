"""Pieces that roam through a place that does not move, told by colour and by what rules allow."""
