"""Array implementations for data of real size; each is tied to its program by exact agreement on replayed choices."""
