"""Probability laws with exact probabilities, on finite sets and on the integers."""
