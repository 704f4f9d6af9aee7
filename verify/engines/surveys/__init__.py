"""What a survey loses from end to end, what its sampling amplifies, and what its estimates change by, exactly."""
