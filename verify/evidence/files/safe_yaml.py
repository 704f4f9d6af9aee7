"""YAML of the plain kind: mappings, lists and texts. No aliases, tags or objects; every scalar is kept as its text."""

from collections.abc import Iterator
from typing import Any
from unicodedata import category

from stirred.spec.arguments import InputError

MAX_DEPTH = 20
"""How deeply mappings and lists may be nested."""

MAX_CHARACTERS = 200_000
"""How long a text may be: it is scanned character by character."""

MAX_NODES = 20_000
"""How many mappings, lists and scalars a file may have."""


def load_yaml(place: str, text: str) -> Any:
    r"""The one document of a YAML text: a dict, a list, a text, or None for an empty scalar.

    Numbers, dates and booleans stay texts, so that "2.630" is not shortened and no float arises.

    >>> load_yaml("x.yaml", "rho: 2.630\nparts: [a, b]")
    {'rho': '2.630', 'parts': ['a', 'b']}
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{place}: must have at most {MAX_CHARACTERS} characters of YAML; it has {len(text)}")
    import yaml  # noqa: PLC0415 only records need it

    try:
        events = list(_checked(place, yaml.parse(text, Loader=yaml.BaseLoader), yaml))
    except InputError:
        raise
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = f" line {mark.line + 1}:" if mark is not None else ""
        raise InputError(f"{place}:{line} invalid YAML: {getattr(error, 'problem', None) or 'not readable'}") from None
    except (RecursionError, ValueError):
        raise InputError(f"{place}: invalid YAML: not readable") from None
    if not events:
        raise InputError(f"{place}: must hold a YAML document; the file is empty")
    return _Builder(place, events).value()


def _checked(place: str, events: Iterator[Any], yaml: Any) -> Iterator[Any]:
    """The events of the document's content, after refusing what a plain document does not have."""
    depth = nodes = documents = 0
    for event in events:
        line = f"{place}: line {event.start_mark.line + 1}"
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise InputError(f"{line}: anchors and aliases are not accepted; write the text out")
        if getattr(event, "tag", None) is not None:
            raise InputError(f"{line}: tags are not accepted; got {event.tag!r}")
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise InputError(f"{line}: must hold one YAML document; another one starts here")
            continue
        if isinstance(event, (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentEndEvent)):
            continue
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1
        nodes += 1
        if depth > MAX_DEPTH:
            raise InputError(f"{line}: must be nested at most {MAX_DEPTH} deep; it is nested deeper")
        if nodes > MAX_NODES:
            raise InputError(f"{line}: must have at most {MAX_NODES} nodes; it has more")
        yield event


class _Builder:
    """Builds the tree from its events; the depth has been bounded."""

    def __init__(self, place: str, events: list[Any]) -> None:
        self.place = place
        self.events = iter(events)

    def value(self) -> Any:
        return self._from(next(self.events))

    def _from(self, event: Any) -> Any:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            if any(category(letter) == "Cc" and letter not in "\n\t" for letter in event.value):
                line = event.start_mark.line + 1
                raise InputError(f"{self.place}: line {line}: control characters are not accepted; got {event.value!r}")
            return None if event.value in ("", "~", "null") and event.style is None else event.value
        if kind == "SequenceStartEvent":
            items = []
            while type(following := next(self.events)).__name__ != "SequenceEndEvent":
                items.append(self._from(following))
            return items
        return self._mapping()

    def _mapping(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while type(event := next(self.events)).__name__ != "MappingEndEvent":
            line = f"{self.place}: line {event.start_mark.line + 1}"
            key = self._from(event)
            if not isinstance(key, str):
                raise InputError(f"{line}: a key must be a text; got {key!r}")
            if key in found:
                raise InputError(f"{line}: duplicate key {key!r}")
            found[key] = self.value()
        return found
