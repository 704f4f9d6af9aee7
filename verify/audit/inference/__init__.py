"""What a budget lets someone learn: tests of hypotheses, posteriors, outcomes, and what was observed from outside."""
