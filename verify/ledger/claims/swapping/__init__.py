"""Data swapping: what it preserves, the permutations it draws, and the data sets it leads to."""
