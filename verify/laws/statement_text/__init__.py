"""Prose as tokens, numbers and items: what the readers of published records and of claims' own words share."""
