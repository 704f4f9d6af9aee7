"""Budgets: losses, accounts, and what a budget of one flavor gives in another."""
