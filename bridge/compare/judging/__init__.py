"""What tracks of pieces say of a video: which rules of solid bodies and of the puzzle it breaks."""
