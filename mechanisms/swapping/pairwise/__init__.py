"""2010-style swapping as the swapping study publishes it: risk, tiers, order, pairing and exchange, each a function."""
