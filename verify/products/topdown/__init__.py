"""TopDown as a product: its settings and schema files, its specification, its measurements, its examples."""
