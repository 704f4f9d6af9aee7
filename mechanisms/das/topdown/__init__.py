"""The TopDown Algorithm: its geography, its design, the program, and the reference solver of its estimation.

geography    a tree of nodes
design       queries, budgets, invariants, edit constraints, and every choice that the article leaves open
integers     counts and rows of which most are 0, or follow a pattern
cell_names   the cells of a schema by name
algorithm    article, Algorithm 2
siblings     the counts of the children of one node, as a nearest point
completion   the same with what is below summarized, for data of real size
leaf_classes the constraints of all nodes as constraints on leaves, in which a conflict is told
nearest      the nearest non-negative integer point under linear constraints, exhaustively
"""

from stirred.mechanisms.das.topdown.algorithm import answers, estimate, invariants, measure, replacement_cost, topdown
from stirred.mechanisms.das.topdown.design import Design, EditConstraint, KeptTotal, QueryGroup, Tie, Weights
from stirred.mechanisms.das.topdown.geography import Geography
from stirred.mechanisms.das.topdown.siblings import Published

__all__ = [
    "Design",
    "EditConstraint",
    "Geography",
    "KeptTotal",
    "Published",
    "QueryGroup",
    "Tie",
    "Weights",
    "answers",
    "estimate",
    "invariants",
    "measure",
    "replacement_cost",
    "topdown",
]
