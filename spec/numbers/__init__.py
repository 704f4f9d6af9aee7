"""Exact numbers: rationals with a symbol, algebraic and real numbers, enclosures with proved ends."""

import sys

from stirred.spec.first_use import Library

sys.modules.setdefault("flint", Library("flint"))
