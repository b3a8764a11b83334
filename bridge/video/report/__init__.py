"""What a video is worth beside the true film: rules, pictures, plan; and who says so."""
