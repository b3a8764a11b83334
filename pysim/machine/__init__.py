"""What differs from one machine and user to another."""
