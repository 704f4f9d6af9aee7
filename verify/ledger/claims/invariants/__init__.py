"""Claims about invariants: the universes that they induce, what is free of charge, and what is not."""
