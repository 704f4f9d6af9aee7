"""The TopDown Algorithm as a program: what it keeps, what it costs, and where estimation is post-processing."""
