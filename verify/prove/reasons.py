"""An alignment as a proof in words: which noise moves, by how much, where, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.alignment import of_json
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.program_graph import Edge, Graph


def moves_in_words(graph: Graph, parts: Mapping[str, Any]) -> tuple[str, ...]:
    """One line for each draw that moves, and one for each loop that has a budget of its own."""
    found: dict[int, list[str]] = {}
    for edge in graph.edges:
        for draw in edge.path.draws:
            said = parts["edges"][edge.key]["shifts"].get(draw.symbol.key)
            if said is None:
                continue
            costs = [draw.rate * abs(Fraction(number)) for number in said.values()]
            largest = max(costs, key=lambda cost: sum(map(abs, cost.terms.values()), Fraction(0)))
            text = f"by {_form(said)} {_where(edge)}".rstrip()
            found.setdefault(draw.line, []).append(text if largest == 0 else f"{text}, at most {largest}")
    lines = [f"line {line}: noise moves {'; '.join(dict.fromkeys(texts))}" for line, texts in sorted(found.items())]
    for name, head in parts["heads"].items():
        potential = head["potential"]
        texts = [str(of_json(potential["once"]))] if potential["once"] else []
        texts += [f"({of_json(potential['records'])})*(changes to come)"] if potential["records"] else []
        texts += [
            f"({of_json(one)})*|distance of {Symbol.of_key(v)}|" for v, one in potential["distances"].items() if one
        ]
        texts += [f"({of_json(one)})*({of_json(fact)})" for one, fact in potential["facts"] if one]
        line = name.split(".")[0]
        lines.append(f"line {line}: at most {' + '.join(texts) or '0'} is still to be spent, in each pass")
    return tuple(lines)


def _form(said: Mapping[str, str]) -> str:
    """A shift in dq and the distances of variables."""
    corners = {int(key): Fraction(number) for key, number in said.items() if key in ("-1", "0", "1")}
    middle = corners.get(0, Fraction(0))
    slopes = {v: (number - middle) * v for v, number in corners.items() if v}
    rest = []
    for key in (key[1:] for key in said if key[0] == "+"):
        ahead, behind, name = Fraction(said[f"+{key}"]), Fraction(said[f"-{key}"]), Symbol.of_key(key)
        parts = {f"{name}": ahead} if ahead == -behind else {f"max({name}, 0)": ahead, f"max(-{name}, 0)": behind}
        rest += [_word(one) * number for one, number in parts.items()]
    if len(set(slopes.values())) <= 1:
        total = Polynomial.of(middle) + _word("dq") * next(iter(slopes.values()), Fraction(0))
        for one in rest:
            total += one
        return str(total)
    listed = ", ".join(f"{number} for dq = {v}" for v, number in sorted(corners.items()))
    return " + ".join([f"({listed})", *map(str, rest)])


def _word(text: str) -> Polynomial:
    return Polynomial.name(Symbol("held", text))


def _where(edge: Edge) -> str:
    """The decisions about noise on a path, by line."""
    noisy = [one for one in edge.path.decisions if any(name.kind == "draw" for name in one.value.names)]
    return (
        "where " + " and ".join(f"line {one.line} {'holds' if one.outcome else 'fails'}" for one in noisy)
        if noisy
        else ""
    )
