"""Variants of the Permutation Swapping Algorithm (article, Appendix C.2 and section 6.2), each as a program.

`strata_permutation` holds what they share; each other module changes one thing about it.
"""
