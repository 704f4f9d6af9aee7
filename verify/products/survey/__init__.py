"""A survey that is run on records: they are read, its mechanism is drawn from, its specification is stated."""
