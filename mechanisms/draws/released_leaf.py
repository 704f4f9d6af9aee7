"""A number that is released as it is drawn, by the text of its law."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReleasedLeaf:
    """A number that is released as it is drawn.

    Attributes:
        text: its law, "7/2 + laplace(2)".
        kind: its type.
    """

    text: str
    kind: str

    def __repr__(self) -> str:
        return self.text
