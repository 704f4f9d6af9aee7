"""Premetrics: on data sets and on laws, trade-off functions, and the recording of data."""
