"""Variants of the PSA: article, Appendices C.1 and C.2 and section 6.2."""
