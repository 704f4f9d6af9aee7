"""A claim's own words beside its blocks: the numbers and promises in them, and whether the blocks have them too."""
