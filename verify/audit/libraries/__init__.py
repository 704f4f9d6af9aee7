"""Objects of other people's libraries: the claim is read from the object itself, and its mechanism is drawn from."""
