"""What can be learned from a release: bounds on tests, on posteriors and on the law of what is released."""
