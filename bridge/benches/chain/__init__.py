"""CHAIN: locks and boxes, played step by step, in one answer, or searched through.

Paper: "CHAIN", sections 2 and 3. It plays what no other bench claims.
"""
