"""Multiverses: what universes and distances say of each other, components, released budgets, sigma-algebras."""
