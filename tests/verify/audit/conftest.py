"""A function that several tests audit is followed once."""

from followed_once import followed_once  # noqa: F401 a fixture
