"""Scripts for maintainers; nothing in the packages imports them."""
