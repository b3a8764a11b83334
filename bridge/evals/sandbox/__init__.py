"""A Python interpreter for code that nobody trusts: see :mod:`bridge.evals.sandbox.interpreter`."""
