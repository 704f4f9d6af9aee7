"""Real numbers that are no rationals: known by enclosures of any width, and compared exactly wherever algebra can."""
