"""The Permutation Swapping Algorithm, exactly: losses of universes, certified budgets, all swap rates, variants."""
