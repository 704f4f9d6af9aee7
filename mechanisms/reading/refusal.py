"""What a program does that is not read: no exception of the program's, so that no program can catch it."""

from __future__ import annotations


class Refusal(BaseException):  # a program's `except Exception` must not catch it
    """A construct that has no meaning here: the file and line, what it is, and the remedy."""
