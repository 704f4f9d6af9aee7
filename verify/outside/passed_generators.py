"""`numpy.random.default_rng(rng)` lets the generator through that a mechanism was given, and refuses all else."""

from __future__ import annotations

import importlib

from stirred.verify.outside.references import replace_references

__all__ = ["pass_generators"]


def pass_generators() -> None:
    """Have every reference to `default_rng` let look-alikes through, in this process."""
    from stirred.mechanisms.generators.numpy_generator import passing  # noqa: PLC0415 NumPy, for its users alone

    asked = importlib.import_module("numpy.random").default_rng
    if asked.__module__ == passing.__module__:
        return
    made = passing(asked)
    cells = [id(cell) for cell in made.__closure__ or ()]
    replace_references([(asked, made)], lambda holder: id(holder) in cells)
