"""Where pieces are in a video: by render-and-compare, or as another tracker says."""
