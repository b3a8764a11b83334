"""Pages in which people play levels, look at them, and see episodes again."""
