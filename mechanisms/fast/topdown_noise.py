"""TopDown's noisy measurements from a secret key: every node and query group has words of its own.

A node that is measured again, by another process or after an interruption, gets the same noise: so one output never
holds two draws for one query, whose mean would have less noise than the budget says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from mechanisms.fast.discrete_gaussian import from_words
from mechanisms.fast.keyed_words import keyed_words
from mechanisms.topdown.algorithm import answers
from mechanisms.topdown.design import Counts, Design
from mechanisms.topdown.siblings import Measurements
from spec.discrete_gaussian import gaussian_scale

__all__ = ["keyed_measurements"]


def keyed_measurements(design: Design, histograms: Mapping[str, Counts], key: bytes) -> Measurements:
    """T(x): the same as `mechanisms.topdown.algorithm.measure` in law, and a function of the key and the data.

    Args:
        design: the queries and budgets.
        histograms: the counts of every node.
        key: 32 secret bytes of one run.
    """
    geography, found = design.geography, []
    for node, exact in zip(geography.nodes, answers(design, histograms), strict=True):
        level = geography.level(node)
        measured = []
        for group, of_group in zip(design.groups, exact, strict=True):
            if not of_group:  # not asked at this level
                measured.append(of_group)
                continue
            words = keyed_words(key, json.dumps([node, group.name]).encode())
            noise = from_words(gaussian_scale(design.variance(level, group)), words(len(of_group)), words)
            measured.append(tuple(answer + draw for answer, draw in zip(of_group, noise.tolist(), strict=True)))
        found.append(tuple(measured))
    return tuple(found)
