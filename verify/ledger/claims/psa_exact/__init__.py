"""What the PSA exactly costs, beyond the article: budgets for all swap rates and for single universes."""
