"""CubeBench's protocol, tools, agents and tables for the levels of the family ``rubik``.

Paper: "CubeBench: Diagnosing Interactive, Long-Horizon Spatial Reasoning under Partial
Observations". See ``docs/cubebench.md``.
"""
