"""How this program runs: the signals that end it, the time that it takes, the processes that share its work."""
