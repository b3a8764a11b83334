"""World models: bundles out, generated videos in."""
