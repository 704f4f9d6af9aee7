"""The TopDown Algorithm on synthetic populations: its design here, releases, and what they do to counts."""
