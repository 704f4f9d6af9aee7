"""The stages of a survey, where a mechanism starts, what is invariant: the ten settings and their order."""
