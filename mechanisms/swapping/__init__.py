"""Swapping: the Permutation Swapping Algorithm, its exact likelihoods, swapping in pairs, and variants."""
