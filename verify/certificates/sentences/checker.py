"""The check of a certificate of sentences: its words, its values, and each sentence of each case."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from .enclosures import OO, UndecidedError
from .functions import text
from .price import Account, SentenceError, require
from .translation import compiled, is_name, scope_of

__all__ = ["FORMAT", "check"]

FORMAT = "stirred sentences 1"
_PRECISIONS = (40, 160, 640)


def _scope(words: Mapping[str, str], account: Account) -> dict[str, Any]:
    """What expressions may use: oo, functions and words."""
    scope = scope_of(account)
    for head, body in words.items():
        name, parameters = re.fullmatch(r"(\w+)\((.*)\)", head).groups()  # type: ignore[union-attr]
        require(is_name(name) and f"{name}()" not in scope, f"a word must have a name of its own: {name}")
        scope[f"{name}()"] = compiled(body, [part.strip() for part in parameters.split(",") if part.strip()], scope)
    return scope


def _value(given: Any, account: Account) -> Any:
    """The value of a JSON text."""
    if given is None or type(given) in (bool, int, str):
        return OO if given is None else given
    if isinstance(given, list):
        return tuple(_value(part, account) for part in given)
    ((kind, content),) = given.items()
    if kind == "number":
        require(re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", content), f"no number: {content!r}")
        return Fraction(content)
    require(kind in ("set", "map") and isinstance(content, list), f"no value: {kind!r}")
    pairs = (
        [(_value(part, account), None) for part in content]
        if kind == "set"
        else [(_value(key, account), _value(part, account)) for key, part in content]
    )
    found = dict(zip(account.hashed([key for key, _ in pairs]), (part for _, part in pairs), strict=True))
    require(len(found) == len(content), f"a {kind} must name nothing twice")
    return found if kind == "map" else frozenset(found)


def _sentence(sentence: dict[str, Any], scope: dict[str, Any], account: Account) -> str:
    """What is confirmed of one sentence."""
    require(sentence.keys() == {"says", "is", "scope", "names", "cases"}, "keys must be those of a sentence")
    says, is_so, names, listed = (sentence[key] for key in ("says", "is", "names", "cases"))
    require(type(is_so) is bool and isinstance(listed, list) and listed, "a sentence must be true or false of cases")
    account.begin(0)
    cases = [_value(case, account) for case in listed if isinstance(case, list)]
    require(len({text(account, case) for case in cases}) == len(listed), "cases must be lists, and different")
    decide = compiled(says, names, scope)
    for parts in cases:
        found = None
        for digits in _PRECISIONS:
            account.begin(digits)
            with suppress(UndecidedError):
                found = decide(*parts)
                break
        word = f"is {str(found).lower()}" if type(found) is bool else "is not decided"
        if found is not is_so:
            shown = {name: text(account, part) for name, part in zip(names, parts, strict=True)}
            raise SentenceError(f"{says!r} {word} of {shown}"[:1_000])
    how = f"every one of {len(listed)} cases" if len(listed) > 1 else "one case"
    return f"CONFIRMED: {'true' if is_so else 'false'} of {how}: {says} [{sentence['scope']}]"


def check(certificate: Any) -> list[str]:
    """What a certificate confirms, and what is taken on trust.

    Raises:
        SentenceError: it does not show what it says.
        TooDearError: it may or may not: it would take more than the limits to see.
    """
    try:
        return list(_checked(certificate))
    except SentenceError:
        raise
    except Exception as error:  # its expressions may fail in any way: nothing is confirmed then
        raise SentenceError(f"not as the format describes it: {type(error).__name__} {error}") from None


def _checked(certificate: Any) -> Iterator[str]:
    require(isinstance(certificate, dict) and certificate.get("format") == FORMAT, f"format must be {FORMAT!r}")
    keys = {"format", "claim", "statement", "words", "sentences", "without"}
    require(certificate.keys() == keys and certificate["sentences"], "keys must be the format's, with sentences")
    account = Account()
    scope = _scope(certificate["words"], account)
    for sentence in certificate["sentences"]:
        yield _sentence(sentence, scope, account)
    yield f"not compared: {json.dumps({key: certificate[key] for key in ('claim', 'statement')})}; what is in brackets"
    yield "taken on trust: the sentences say what the claim says, and the cases are those of their scope"
    yield from (f"not in the certificate: {one}" for one in certificate["without"])
