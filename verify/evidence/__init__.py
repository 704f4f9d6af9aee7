"""What was found: a verdict, evidence with its scope, and the witness of a refutation."""
