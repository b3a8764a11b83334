"""What the commands that are about video models do."""
