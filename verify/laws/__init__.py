"""From a user's function to its laws: what it is asked, what processes list of it, what they agree on."""
