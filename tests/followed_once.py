"""A function that a module of tests audits at several budgets, or compares under several blocks, is followed once."""

import pytest

from stirred.verify.laws.local import LocalFunction


@pytest.fixture(scope="module", autouse=True)
def followed_once():
    """What functions of this process answer, kept by all that it depends on; a refusal is not kept."""
    kept = {}

    def keeping(follow):
        def answer(self, points, *given, **asked):
            words = (points, given, asked, self.where, self.generator, self.numerics, self.limits)
            key = follow, self.function, repr(words)
            if self.originals or key not in kept:
                kept[key] = follow(self, points, *given, **asked)
            return kept[key]

        return answer

    with pytest.MonkeyPatch.context() as patch:
        for name in ("laws", "values", "distances"):
            patch.setattr(LocalFunction, name, keeping(getattr(LocalFunction, name)))
        yield
