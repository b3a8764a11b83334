"""What the commands do, each in a module named after its command."""
