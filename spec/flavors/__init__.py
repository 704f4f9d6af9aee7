"""Named flavors: the Permutation Swapping Algorithm's, and Pufferfish."""
