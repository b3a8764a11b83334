"""The report: one static page with tables, plots and every episode of some runs."""
