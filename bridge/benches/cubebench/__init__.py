"""CubeBench's protocol, tools, agents and tables for Rubik's cubes.

Paper: "CubeBench: Diagnosing Interactive, Long-Horizon Spatial Reasoning under Partial
Observations". See ``docs/cubebench.md``.
"""
