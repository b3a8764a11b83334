"""M-Portal: plans for chambers, to be checked and completed. See ``docs/portal.md``."""
