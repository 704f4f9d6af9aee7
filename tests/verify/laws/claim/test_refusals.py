"""Claims that are refused: one line with the file and the key, before anything large is listed."""

import time
from pathlib import Path

import pytest
from claim_texts import SCHEMA, SOUND, changed, refusal, replaced

SWAPPED = changed(
    SOUND,
    r"""
float: "1/2" => 0.5 ! mechanism.swap_rate must be an exact number; got the float 0.5: quote it, "0.5"
float in an array: [2, 1] => [2, 1.0] ! domain.margins[0].rows[1] must be an exact number; got the float 1.0
infinite float: gamma = 4 => gamma = inf ! budget.gamma must be an exact number; got the float inf
logarithm below zero: gamma = 4 => epsilon = "ln 1/2"
  ! budget.epsilon must be the logarithm of a number of at least 1; got 'ln 1/2'
logarithm of no number: gamma = 4 => epsilon = "ln x" ! budget.epsilon must be an exact number such as
date: gamma = 4 => gamma = 2020-04-01 ! budget.gamma must be a text, an integer
rate above one: "1/2" => "3/2" ! mechanism.swap_rate must be between 0 and 1; got 3/2
negative rate: "1/2" => "-1/2" ! mechanism.swap_rate must be between 0 and 1; got -1/2
rate in words: "1/2" => "half" ! mechanism.swap_rate must be an exact number such as '1/20'
margins that differ: [1, 2] => [1, 3] ! domain.margins: rows and columns must have the same total; got 3 and 4
no margin: [2, 1] => [] ! domain.margins: rows must be a sequence of at least one margin; got ()
negative margin: [2, 1] => [4, -1] ! domain.margins[0].rows[1] must be at least 0; got -1
empty stratum: { rows = [2, 1], columns = [1, 2] } => { rows = [0], columns = [0] }
  ! domain.margins[0] must have at least one record; the stratum is empty
no stratum: [{ rows = [2, 1], columns = [1, 2] }] => [] ! domain.margins must have at least one stratum
unknown block: [output_premetric] => [output_premtric]
  ! output_premtric: unknown key; did you mean 'output_premetric'?
unlike any block: [output_premetric] => [zzz] ! zzz: unknown key; known: id, source, statement, domain
key outside of its table: [output_premetric] => numerics = "real"\n[output_premetric]
  ! input_premetric.numerics: unknown key
key of one table: [domain] => numerics = "real"\n[domain] ! numerics belongs to [mechanism]
key of two tables: [domain] => resolution = "person"\n[domain] ! resolution belongs to [input_premetric]
unknown key: resolution => resolutoin ! input_premetric.resolutoin: unknown key; did you mean 'resolution'?
unknown mechanism: permutation-swapping => permutation-swaping
  ! mechanism.name: unknown name 'permutation-swaping'; did you mean 'permutation-swapping'?
unknown parameter: swap_rate => swaprate ! mechanism.swaprate: unknown key; did you mean 'swap_rate'?
unknown premetric: hamming_unordered => hammin_unordered
  ! input_premetric.name: unknown name 'hammin_unordered'; did you mean
unknown invariant: ["swapping"] => ["swaping"] ! multiverse.invariants[0] must be 'size', 'swapping'
missing id: id = "swap.small"\n => ! id: missing key
missing statement: statement = => source = ! statement: missing key
missing rate: swap_rate = "1/2" => ! mechanism.swap_rate: missing key
missing mechanism name: name = "permutation-swapping"\n =>
  ! mechanism.name: missing key; give name, function or command
block that is no table: [output_premetric]\nname = => [x]\ny = ! x: unknown key
gamma below one: gamma = 4 => gamma = "1/2" ! budget.gamma: gamma must be at least 1; got 1/2
negative epsilon: gamma = 4 => epsilon = -1 ! budget.epsilon must be non-negative; got -1
huge epsilon: gamma = 4 => epsilon = 10001 ! budget.epsilon must be at most 10000
two budgets: gamma = 4 => gamma = 4\nepsilon = "1.4" ! budget.gamma cannot be combined with epsilon
budget of another measure: gamma = 4 => rho_squared = "1"
  ! budget.rho_squared is not a budget for the output premetric 'multiplicative'
delta of another measure: name = "multiplicative" => name = "multiplicative"\ndelta = "1e-10"
  ! output_premetric.delta belongs to 'approximate_multiplicative'
delta that is missing: "multiplicative" => "approximate_multiplicative" ! output_premetric.delta: missing key
delta above one: name = "multiplicative" => name = "approximate_multiplicative"\ndelta = 2
  ! output_premetric.delta: delta must be at least 0 and below 1
a fraction above one: name = "multiplicative" => name = "approximate_multiplicative"\ndelta = "6/5"
  ! output_premetric.delta: delta must be at least 0 and below 1; got 6/5
as many budgets as rates: gamma = 4 => epsilon = ["1", "2"]
  ! budget.epsilon must have one number for each swap rate, 1; got 2
formula without its mechanism: gamma = 4 => gamma = 4\nby = "psa.budget.theorem"
  ! budget.by must stand alone or beside epsilon, with the mechanism 'permutation-swapping'
id with spaces: "swap.small" => "swap small" ! id must be words joined by '.', '-' or '_'; got 'swap small'
text that is a number: resolution = "household" => resolution = 3
  ! input_premetric.resolution must be a non-empty text; got 3
escape in a text: "household" => "\u001b[31m" ! input_premetric.resolution must be printable
exponent beyond bounds: "1/2" => "1e99999" ! mechanism.swap_rate must have an exponent of at most three digits
words beside a printed number: gamma = 4 => description = "small"\nprinted = "1.39"
  ! budget.printed: unknown key; known: description
invariant that is a number: ["swapping"] => [1] ! multiverse.invariants[0] must be a text or an array of texts
stratum of one: swap_rate = "1/2" => swap_rate = "1/2"\nlargest_stratum = 1
  ! mechanism.largest_stratum: largest_stratum cannot be 1
""",
)

OWN = changed(
    SCHEMA,
    r"""
records = 2 => records = 1000 & ["no", "yes"] => [1, 2, 3, 4]
  ! domain.schema: must have at most 200000 data sets to be audited; it has 167668501: use fewer
records = 2 => records = 1000\norder = "ordered"
  ! domain.schema: must have at most 200000 data sets to be audited; it has about 10^301
records = 2 => records = 1001 ! domain.records must be at most 1000; got 1001
records = 2 => records = -1 ! domain.records must be at least 0; got -1
records = 2 => records = [1, 1] ! domain.records must be distinct numbers of records
records = 2\n => ! domain.records: missing key
records = 2 => records = 2\norder = "orderd" ! domain.order: unknown name 'orderd'; did you mean 'ordered'?
["no", "yes"] => ["no", "no"] ! domain.schema: variable 'vote' must have distinct values
{ vote = ["no", "yes"] } => {} ! domain.schema must have at least one variable
records = 2 => records = 2\nmargins = [{ rows = [1], columns = [1] }]
  ! domain.schema cannot be combined with margins
hamming_unordered => hamming_ordered ! input_premetric.name 'hamming_ordered' needs a domain with order
hamming_unordered => absolute_difference
  ! input_premetric.name 'absolute_difference' needs data sets that are integers
invariants = [] => invariants = [["vot"]] ! multiverse.invariants[0]: unknown variable 'vot'; did you mean 'vote'?
invariants = [] => universes = [[[['no']], [['maybe']]]]
  ! multiverse.universes: a universe must lie inside the domain
invariants = [] => invariants = []\nuniverses = [] ! multiverse.universes cannot be combined with invariants
name = "identity" => name = "permutation-swapping"\nswap_rate = "1/2"
  ! mechanism: each variable must have one role of matching, holding, swapping; 'vote' has 0
name = "identity" => name = "permutation-swapping"\nswap_rate = "1/2"\nswapping = ["vte"]
  ! mechanism.swapping: unknown variable 'vte'; did you mean 'vote'?
["no", "yes"] => [{ a = 1 }] ! domain.schema must be texts, integers or arrays of them; got a table
invariants = [] => universes = [[], []] ! multiverse.universes: the universes of a multiverse must be distinct
name = "identity" => name = "permutation-swapping"\nswap_rate = "1/2"\nholding = ["vote"]\nswapping = ["a"]
  & ["no", "yes"] } => ["no", "yes"], a = [1, 2] } & gamma = 2 => epsilon = "1.1"\nby = "psa.budget.theorem"
  ! budget.by requires the mechanism's largest_stratum, or margins
name = "identity" => function = "no-colon" ! mechanism.function must be 'module:function'; got 'no-colon'
name = "identity" => function = "there_is_no_such_module:f"
  ! mechanism.function: no module 'there_is_no_such_module' beside the claim file
""",
)


@pytest.mark.parametrize(("text", "expected"), SWAPPED + OWN)
def test_bad_input_is_refused_at_its_key(text: str, expected: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, text).startswith(expected)


FORMULA = "numbers[0].formula must be a formula of numbers, names, + - * / **, ln, exp and sqrt"


@pytest.mark.parametrize(
    ("formula", "more", "expected"),
    [
        ("exp(10**9)", "", f"{FORMULA}; its value is too large or too small"),
        ("lnn(2)", "", "numbers[0].formula must be a formula of numbers, names"),
        ("b+1", "", f"{FORMULA}; 'b' has no value"),
        ("1/0", "", f"{FORMULA}; it divides by zero"),
        ("ln(-1)", "", "numbers[0].formula must have a finite real value"),
        ("9**9**9", "", f"{FORMULA}; an exponent"),
        ("2*b", "where = { b = [1, 2, 3] }", "numbers[0].where must have 1 or 3"),
        ("2*b", "where = { b = 3, printed = 3 }", "numbers[0].where must not name 'printed'"),
        ("2*b", "where = { b = 3, c = 3 }", "numbers[0].where must name only what the formula uses; got 'c'"),
        ("2*b", "where = { b = '0.5' }\nrounded = ['c']", "numbers[0].rounded must name inputs with decimals"),
        ("2*b", "where = { b = 3 }\nrounded = ['b']", "numbers[0].rounded must name inputs with decimals"),
    ],
)
def test_a_number_that_cannot_be_recomputed_is_refused(formula: str, more: str, expected: str, tmp_path: Path) -> None:
    printed = "['1.0', '2.0']" if "[1, 2, 3]" in more else "'1.0'"
    number = f"[[numbers]]\nwhat = 'w'\nprinted = {printed}\nformula = '{formula}'\n{more}\n[mechanism]"
    assert refusal(tmp_path, replaced(SCHEMA, ("[mechanism]", number))).startswith(expected)


TOO_MANY = "domain.margins[0]: must have at most 20000 tables to be audited"


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        # The first row determines the second; each bound is on the number of first rows.
        ("[100, 100]", "[70, 70, 60]", "domain.margins[0]: must have at most 3000 tables to be audited; it has "),
        ("[500, 500]", "[400, 300, 300]", f"{TOO_MANY}; it has at least "),
        (str([100] * 10), str([100] * 10), f"{TOO_MANY}; it has at least "),
        ("[500000, 500000]", "[1000000]", "domain.margins[0] must have at most 1000 records and cells to be audited"),
    ],
)
def test_too_many_tables_are_refused_before_they_are_listed(
    rows: str, columns: str, expected: str, tmp_path: Path
) -> None:
    begin = time.process_time()
    text = replaced(SOUND, ("rows = [2, 1]", f"rows = {rows}"), ("columns = [1, 2]", f"columns = {columns}"))
    assert refusal(tmp_path, text).startswith(expected)
    assert time.process_time() - begin < 2
