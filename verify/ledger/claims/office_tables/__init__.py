"""Counts as statistical offices change them: by p-tables and cell keys, and by random rounding."""
