"""The words by which prose gives a letter its number: three tables, read as one phrase.

    LETTER  noun*  link  loose*  NUMBER        "epsilon value of about 2.0", "ρ-zCDP privacy loss budget is 12.058"

Beside it: "(ε, δ) = (4, 10^-5)", "(34.9, 7 × 10^-9)-DP", "0.5-zCDP", a budget without its letter ("the total privacy
loss is 0.2"), and a second number for the letter of the sentence ("to about 1.453", "remains at 0.0728").
"""

EXACT_LINKS = ("=",)
"""What states the number exactly."""

LINKS = (
    *("=", ":", "of", "is", "was", "are", "were", "be", "equals", "equal to", "is equal to", "set to", "is set to"),
    *("chosen as", "was chosen as", "is chosen as", "set as", "is set as", "was set as", "chosen to be", "set to be"),
    *("was set to", "set at", "remains", "at", "to", "being", "≈", "~", "<", "≤", "below", "is below"),
)
"""What gives a letter a number."""

NOUNS = (
    *("value", "budget", "parameter", "privacy", "loss", "privacy-loss", "total", "overall", "cost", "guarantee", ")"),
    *("dp", "zcdp", "gdp", "differential", "-"),
)
"""What may stand between a letter and its link."""

LOOSE = (
    *("about", "approximately", "roughly", "around", "nearly", "almost", "up to", "at most", "at least", "less than"),
    *("more than", "exactly", "just", "only", "a", "an", "at"),
)
"""What may stand between a link and its number."""

CARRIED = ("to", "to about", "to approximately", "remains at", "and remains at", "increases to", "decreases to")
"""What gives the letter of a sentence a second number."""

BUDGETS = (
    *("privacy loss", "privacy-loss", "privacy budget", "privacy-loss budget", "privacy loss budget"),
    *("privacy consumption", "budget"),
)
"""What names a budget without its letter."""

BY_NAME = {"dp": "ε", "differential": "ε", "differentially": "ε", "zcdp": "ρ", "gdp": "μ"}
"""The letter of a number before "-DP"."""

WHOLE = ("global", "overall", "total", "whole", "entire")
"""What calls a budget the whole one."""

WHOLE_NOUNS = ("privacy", "loss", "privacy-loss", "budget", "cost", "guarantee", "parameter", "value", ")", "-")
"""What may stand between such a word and the letter."""

PERIODS = {
    **dict.fromkeys(("hour", "hours", "hourly"), "hour"),
    **dict.fromkeys(("day", "days", "daily"), "day"),
    **dict.fromkeys(("week", "weeks", "weekly"), "week"),
    **dict.fromkeys(("month", "months", "monthly"), "month"),
    **dict.fromkeys(("quarter", "quarters", "quarterly"), "quarter"),
    **dict.fromkeys(("year", "years", "yearly", "annual", "annually"), "year"),
}
"""Words for a period, and the period."""

CONTINUATIONS = (
    *("for", "per", "in", "at", "as", "so", "which", "where", "when", "because", "since", "with", "by", "is", "was"),
    *("are", "if", "but", "while", "on", "each", "total", "overall", "during", "over", "under"),
)
"""Words that show that the number before them is all that is said, and counts nothing."""

MATHEMATICS = (
    *("ln", "log", "exp", "sqrt", "twice", "half", "double", "root", "third", "quarter", "percent", "times", "plus"),
    "minus",
)
"""Words that make a letter or number a part of an expression."""

EACH = (
    *("each", "per", "every", "hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually"),
    *("half", "twice", "remaining", "rest"),
)
"""Words that may make a number one of a period or of a share."""

LOOSELY = (
    *("about", "approximately", "roughly", "around", "nearly", "almost", "up to", "at most", "at least", "less than"),
    *("more than", "below", "above", "maximum", "minimum", "if", "would", "could", "may", "might", "previous"),
    *("previously", "initial", "initially", "original", "originally", "earlier", "former", "formerly", "planned"),
    *("proposed", "until", "~", "≈", "≤", "≥", "<", ">"),
)
"""Words that keep a number from being the one in force."""

NUMBER_WORDS = {
    word: count
    for count, word in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=2)
}
"""The counts that are written as words."""
