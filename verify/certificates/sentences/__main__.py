"""`python -m sentences FILE…`: check files of certificates."""

from __future__ import annotations

import sys

from .files import main

if __name__ == "__main__":
    sys.set_int_max_str_digits(100_000)
    sys.exit(main(sys.argv[1:]))
