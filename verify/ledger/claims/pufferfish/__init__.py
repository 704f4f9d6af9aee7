"""Pufferfish: beliefs, competing conjectures and their path metric; tests, odds, mechanisms without loss."""
