"""Small surveys, made by hand: two populations, frames that miss a person, samples of one, any of whom respond."""

from itertools import combinations

from stirred.spec.surveys.stages import FOUR_STAGES, SurveyStages
from stirred.spec.surveys.unit_data import unit_data

YOUNG, OLD = unit_data({1: "young", 2: "young", 3: "young"}), unit_data({1: "old", 2: "young", 3: "young"})


def missing_one(data):
    """All but one of the units."""
    return [data[:place] + data[place + 1 :] for place in range(len(data))]


def of_size(number):
    """All samples of one size."""
    return lambda data: combinations(data, number)


def answering(data):
    """Any of the units respond."""
    return [part for number in range(len(data) + 1) for part in combinations(data, number)]


SURVEY = SurveyStages.of_steps(FOUR_STAGES, [YOUNG, OLD], [missing_one, of_size(1), answering])
"""All four stages of dissertation, Definition 6.3.1."""
