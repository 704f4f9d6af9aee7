"""The Permutation Swapping Algorithm (PSA): its law, its budget (7), the proof of it, and how tight it is."""
