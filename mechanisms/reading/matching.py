"""The patterns of `match`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Mapping, Sequence
from typing import Any

from stirred.mechanisms.reading.expressions import Expressions, spoken
from stirred.mechanisms.reading.functions import Frame
from stirred.mechanisms.reading.symbols import Drawn

_ITSELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""Classes whose one pattern by place is the object itself."""


class Matching(Expressions):
    """Tells whether values match patterns."""

    def matches(self, pattern: ast.pattern, value: Any, names: dict[str, Any], frame: Frame) -> bool:
        """Whether a value matches a pattern; adds the names that it binds."""
        if isinstance(pattern, ast.MatchValue):
            return self.meanings.truth(self.meanings.compared(operator.eq, value, self.value(pattern.value, frame)))
        if isinstance(pattern, ast.MatchSingleton):
            return value is pattern.value
        if isinstance(pattern, ast.MatchAs):
            found = pattern.pattern is None or self.matches(pattern.pattern, value, names, frame)
            if found and pattern.name:
                names[pattern.name] = value
            return found
        if isinstance(pattern, ast.MatchOr):
            return any(self.matches(one, value, names, frame) for one in pattern.patterns)
        if isinstance(pattern, ast.MatchSequence):
            return self._is_sequence(pattern.patterns, value, names, frame)
        if isinstance(pattern, ast.MatchMapping):
            return self._is_mapping(pattern, value, names, frame)
        if isinstance(pattern, ast.MatchClass):
            return self._is_instance(pattern, value, names, frame)
        raise self.refuse(f"{spoken(pattern)} is not read")

    def _is_sequence(self, patterns: Sequence[ast.pattern], value: Any, names: dict[str, Any], frame: Frame) -> bool:
        if not isinstance(value, Sequence) or isinstance(value, (str, bytes, bytearray)):
            return False
        members = [*value]
        starred = [place for place, one in enumerate(patterns) if isinstance(one, ast.MatchStar)]
        if not starred:
            pairs = zip(patterns, members, strict=False)
            return len(members) == len(patterns) and all(self.matches(*pair, names, frame) for pair in pairs)
        (place,), after = starred, len(patterns) - starred[0] - 1
        if len(members) < len(patterns) - 1:
            return False
        ends = len(members) - after
        pairs = zip((*patterns[:place], *patterns[place + 1 :]), (*members[:place], *members[ends:]), strict=True)
        if (name := patterns[place].name) is not None:  # type: ignore[attr-defined]
            names[name] = members[place:ends]
        return all(self.matches(*pair, names, frame) for pair in pairs)

    def _is_mapping(self, pattern: ast.MatchMapping, value: Any, names: dict[str, Any], frame: Frame) -> bool:
        if not isinstance(value, Mapping):
            return False
        left = dict(value)
        for node, inner in zip(pattern.keys, pattern.patterns, strict=True):
            key = self.value(node, frame)
            if key not in left or not self.matches(inner, left.pop(key), names, frame):
                return False
        if pattern.rest:
            names[pattern.rest] = left
        return True

    def _is_instance(self, pattern: ast.MatchClass, value: Any, names: dict[str, Any], frame: Frame) -> bool:
        kind = self.value(pattern.cls, frame)
        if not isinstance(value.kind(0) if isinstance(value, Drawn) else value, kind):
            return False
        if pattern.patterns and kind in _ITSELF:
            return self.matches(pattern.patterns[0], value, names, frame)
        places = getattr(kind, "__match_args__", ())[: len(pattern.patterns)]
        for name, inner in zip((*places, *pattern.kwd_attrs), (*pattern.patterns, *pattern.kwd_patterns), strict=True):
            try:
                found = self.meanings.attribute(value, name)
            except AttributeError:
                return False
            if not self.matches(inner, found, names, frame):
                return False
        return True
