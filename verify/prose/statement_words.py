"""The words by which a sentence names its numbers, joins them, bounds them and denies them."""

from stirred.verify.prose.tokens import DASHES

NAMES = {
    **dict.fromkeys(("privacy", "private", "privately", "dp", "ldp", "cdp", "loss", "losses"), "budget"),
    **dict.fromkeys(("budget", "plb", "budgets", "guarantee", "guarantees", "leakage", "leak"), "budget"),
    **dict.fromkeys(("leaks", "protection", "pld", "indistinguishable", "indistinguishability"), "budget"),
    **dict.fromkeys(("differential", "differentially", "privacy-loss", "worst-case", "disclosure"), "budget"),
    **dict.fromkeys(("confidentiality", "nat", "nats", "bits"), "budget"),
    **dict.fromkeys(("zcdp", "zero-concentrated", "concentrated"), "ρ"),
    **dict.fromkeys(("gdp",), "μ"),
    **dict.fromkeys(("gamma", "γ", "factor", "fold", "odds", "likely"), "γ"),
    **dict.fromkeys(("alpha", "α"), "α"),
    **dict.fromkeys(("probability", "rate", "rates"), "p"),
    **dict.fromkeys(("stratum", "strata"), "b"),
}
"""Words that name a number, and the letter or name that they stand for."""

SIGNS = frozenset(
    (
        *('"', "'", "(", ")", "*", ".", ":", "<", "=", ">", "[", "]", "^", "|", "~", "→", "∈", "≃", "≅", "≈"),
        *("≤", "≥"),
    )
)
"""Marks that may stand between a name and its number."""

LINKS = frozenset(
    (
        *("a", "about", "above", "achieves", "almost", "amount", "amounts", "an", "approximately", "are"),
        *("around", "as", "at", "be", "been", "being", "below", "between", "bound", "bounded", "bounds", "by"),
        *("can", "change", "changes", "chosen", "claimed", "comes", "constant", "cost", "could", "did"),
        *("differential-privacy", "do", "does", "each", "either", "equal", "equaling", "equalling", "equals"),
        *("ever", "every", "exactly", "exceed", "exceeds", "fewer", "fixed", "from", "give", "given", "gives"),
        *("giving", "has", "have", "i.e.", "in", "is", "its", "just", "larger", "least", "less", "level"),
        *("may", "more", "most", "namely", "nearly", "never", "no", "nominal", "not", "of", "only", "our"),
        *("over", "overall", "parameter", "roughly", "satisfies", "satisfy", "set", "size", "smaller", "some"),
        *("squared", "stated", "sum", "sums", "than", "that", "the", "their", "to", "total", "under", "up"),
        *("value", "values", "was", "were", "will", "with", "within", "worth", "would"),
    )
)
"""Words that may stand between a name and its number."""

_JOINING = frozenset(
    (
        *("(", ",", "/", ":", ";", "<", "=", "about", "and", "approximately", "at", "e.g.", "either", "give"),
        *("gives", "i.e.", "is", "most", "namely", "or", "respectively", "roughly", "that", "to", "up"),
        *("yields", "~", "≈", "≤"),
    )
)

SEPARATORS = _JOINING | DASHES
"""What joins numbers that have one name."""

_AFTER = frozenset(
    (
        *("(", ")", "a", "an", "as", "being", "for", "in", "is", "its", "of", "our", "the", "total", "value"),
        *("was", "worth"),
    )
)

BEHIND = _AFTER | DASHES
"""What may stand between a number and a name behind it."""

UPPER = (
    *("≤", "<", "at most", "up to", "less than", "below", "under", "no more than", "not more than"),
    *("within", "bounded by"),
)
"""What makes a number an upper bound."""

STRICT = (*("<", "less than", "below", "under", "smaller than", "fewer than"),)
"""What makes it one that is not reached."""

LOWER = (*("≥", ">", "at least", "more than", "above", "over", "no less than", "larger than"),)
"""What makes a number a lower bound."""

ABOUT = (*("≈", "~", "about", "approximately", "roughly", "around", "nearly", "almost", "≃", "≅"),)
"""What says that a number is rounded."""

DENIALS = (
    *("not", "never", "cannot", "fails", "violates", "false", "wrong", "unlike", "instead", "rather"),
    *("neither", "nor"),
)
"""Words that may deny a number of their clause."""

_FURTHER = frozenset(
    (*("but", "for", "holds", "if", "on", "per", "suffices", "too", "when", "where", "which", "while"),)
)

NO_NOUNS = LINKS | SEPARATORS | _FURTHER
"""Words behind a number that it does not count."""

LABELS = frozenset(
    (
        *("algorithm", "appendix", "article", "chapter", "claim", "col", "column", "corollary", "definition"),
        *("eq", "equation", "example", "fig", "figure", "figures", "item", "lemma", "line", "no", "note", "nr"),
        *("page", "pages", "paragraph", "part", "proposition", "release", "remark", "row", "section"),
        *("sections", "series", "step", "table", "tables", "theorem", "theorems", "version", "§"),
    )
)
"""Words before a number that numbers something."""

PRIVATE = (
    *("priva", "dp", "zcdp", "ldp", "gdp", "epsilon", "budget", "leak", "disclos", "indistinguish"),
    *("protect", "guarant", "secre", "anonym", "plb", "confidential", "odds", "loss", "differential"),
    *("private", "risk", "lose"),
)
"""How words about privacy begin."""

ASSIGNING = (*("=", "is", "≈", "≤", "≥", "<", ">", "of", ":", "between"),)
"""What stands behind a letter that is given a number."""

GIVING = (*("is", "gives", "give", "yields", "has", "are"),)
"""What gives a budget its number behind another one's."""
