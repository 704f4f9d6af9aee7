"""Swapping as a product: what a run states of itself, and its run on Spark."""
