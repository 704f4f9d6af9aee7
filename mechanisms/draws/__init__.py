"""Unbounded draws, as a source hands them out: compared and clamped, never read."""
