"""The systems that a person runs, checks of what they released, and studies of what mechanisms do to statistics."""
