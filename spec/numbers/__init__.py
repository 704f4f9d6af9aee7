"""Exact numbers: rationals with a symbol, algebraic and real numbers, enclosures with proved ends."""
