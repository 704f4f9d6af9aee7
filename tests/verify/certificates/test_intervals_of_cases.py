"""Intervals in the language of cases: an interval is a number there, although it is a tuple of two decimals."""

from verify.certificates.language import holds


def test_intervals_are_added_as_numbers() -> None:
    assert holds("ln(2) + ln(3) <= ln(7)", {}, {})
    assert holds("sum(ln(n) for n in x) > 1", {"x": (2, 3)}, {})
