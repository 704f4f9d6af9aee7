"""What can be learned from a release: tests, posteriors, and the law of what is released when the data are random."""
