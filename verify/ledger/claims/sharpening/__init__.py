"""Sharpening: neighbor relations, the metrics of their shortest paths, group privacy."""
