"""What can be learned from a release: intervals of measures, tests, posteriors, and Pufferfish."""
