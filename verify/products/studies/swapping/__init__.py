"""The swapping study on synthetic states: its statistics, what it compares, and its pictures."""
