"""The price of swapping: what mechanisms with the same invariants and budget change, and the least that any does."""
