"""Printed numbers: each recomputed by its formula, at its printed precision."""
