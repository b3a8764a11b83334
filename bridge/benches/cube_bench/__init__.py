"""Cube Bench: questions about Rubik's cubes, in seven tasks. See ``docs/cube-bench.md``.

After D. Anand and E. Shareghi, "Cube Bench: A Benchmark for Spatial Visual Reasoning in MLLMs"; its
sections and appendices are named where they are followed. The prompts are Luban's own.
"""
