"""Processing: what becomes of a specification when outputs are processed, joined with noise, or released together."""
