"""SafeTab-P and SafeTab-H: the published settings, the rows of the article's Table 4, and what the two stages need."""
