"""2010-style swapping: its invariants, its infinite loss and what causes it, its tiers, its statistics and figures."""
