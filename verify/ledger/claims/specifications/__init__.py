"""Claims about specifications as such: budgets, losses, refinements, the order, and what a mechanism is."""
