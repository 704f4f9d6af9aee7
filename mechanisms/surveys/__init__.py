"""A survey from its population to its release: designs, non-response, weights, imputation, and how they compose."""
