"""Amplification by the designs of samples, and two releases that share one sample."""
