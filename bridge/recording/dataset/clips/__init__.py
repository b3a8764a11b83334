"""Many short, varied films for training, in shards."""
