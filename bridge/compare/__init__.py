"""World models: bundles of true films out, generated videos tracked and judged by rule."""
