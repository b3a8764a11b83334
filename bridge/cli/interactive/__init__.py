"""A person at the terminal: what is shown, what may be asked, what is typed."""
