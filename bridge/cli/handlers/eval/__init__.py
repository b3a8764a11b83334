"""``luban eval``: which bench is meant, playing its levels, asking its items."""
