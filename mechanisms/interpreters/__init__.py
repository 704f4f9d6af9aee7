"""The interpreters of a program: its exact law, its choices as a tree or listed as runs, and samples of it."""
