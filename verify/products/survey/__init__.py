"""A survey's release as a product: its settings and its specification."""
