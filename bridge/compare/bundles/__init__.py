"""What a video model is given, and what its videos are compared with."""
