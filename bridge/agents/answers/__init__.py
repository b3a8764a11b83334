"""Plans in the text of a model's answer: tolerant literals, calls in them, and the choice of one.

``docs/agents.md`` states the rules that users can rely on.
"""
