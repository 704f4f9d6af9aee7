"""An independent check of sentences: one folder, nothing but Python's standard library.

`stirred check FILE…`, or `python -m sentences FILE…` beside a copy of this folder. Whatever an engine has found comes
down to comparisons of exact numbers, case by case; here they are computed anew. A file has one certificate, or a list.

format             "stirred sentences 1"
claim, statement   for the reader: not compared with anything here, and printed as such
words              {"name(parameters)": body, …}: definitions for the expressions, which may use each other
sentences          [{"says": expression, "is": true or false, "scope": text, "names": [name, …], "cases": [case, …]},
                   …]: the expression is true, or false, of every case; a case is a list of values, one for each name
without            [text, …]: what else speaks about the claim, and is not certified here

A value is an integer, a text, true, false, null for oo, a list for a tuple, {"number": "-1/20"}, {"set": [value, …]} or
{"map": [[key, value], …]}. An expression is one of Python's, made of integers, texts, True, False, oo, names, + - * /
// % **, & | of sets, and or not, if else, comparisons, `in`, indices, slices, tuples (or lists: the same), sets, maps,
comprehensions, and calls of words and of `FUNCTIONS`. Numbers are exact. ln, exp and sqrt are enclosed by decimals
rounded outward, and what is computed from them too; a comparison must come out the same for all numbers enclosed, at
40, 160 or 640 digits. oo is above every number; sums and products with oo are oo, 0*oo too, and so is oo over a
positive number; a number over oo is 0. min of nothing is oo, max of nothing 0. Sets are in the order of texts.

Every step is paid for before it is done: a certificate may take 10⁹ steps of about 100 ns, the values of one case may
have 2·10⁷ parts, a number 400,000 bits, an expression 20,000 characters. What is dearer is not checked at all.

Confirmed are the sentences; that they say what the claim says, and that the cases are those of the scope, is trusted.
"""

from __future__ import annotations

from .checker import FORMAT, check
from .files import main
from .functions import FUNCTIONS
from .price import SentenceError, TooDearError

__all__ = ["FORMAT", "FUNCTIONS", "SentenceError", "TooDearError", "check", "main"]
