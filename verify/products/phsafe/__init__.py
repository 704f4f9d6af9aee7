"""PHSafe as a product: its settings and tables, its specification, its example."""
