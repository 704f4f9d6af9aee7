"""What mechanisms do to statistics, on data: studies that draw, keep what they drew, tabulate and picture it."""
