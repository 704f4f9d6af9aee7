"""PHSafe: what its authors prove of its stability and privacy."""
