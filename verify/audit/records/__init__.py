"""Readers of published records and settings, one module for each kind.

A reader validates a file and keeps every number as it is printed; it fetches nothing and executes nothing. What it
does not know it names as not read.
"""
