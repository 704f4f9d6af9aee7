"""What is refused of unbounded draws, and stays refused where code catches it and goes another way."""

from typing import Any, NoReturn

from stirred.spec.arguments import Exact, InputError, exact

UNBOUNDED = "unbounded: clamp it with source.clamp(value, low, high), or max(low, min(value, high)), or only compare it"
"""Why the value of an unbounded draw is refused."""

REFUSED: list[InputError] = []
"""What was asked of draws in this process and is not answered."""


def refusal(sentence: object) -> InputError:
    """What is raised, and remembered."""
    REFUSED.append(InputError(sentence))
    return REFUSED[-1]


def refuse_value() -> NoReturn:
    """Refuse what needs the value of an unbounded draw, for good."""
    raise refusal(UNBOUNDED)


def exact_term(name: str, value: Exact) -> Any:
    """A number that meets a draw, exactly."""
    try:
        return exact(name, value)
    except (InputError, TypeError) as error:
        raise refusal(error) from None
