"""Columns of numbers as whole ones over a power of ten, exactly, for all records at once."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

SCALE = 10**20
"""What numbers are multiplied by."""

_DIGITS, _PLACES = 18, 20
_PLAIN = f"^-?(?:0|[1-9][0-9]{{0,{_DIGITS - 1}}})(?:[.][0-9]{{1,{_PLACES}}})?$"

_RECORDS = 2**16
"""That are read at a time."""


def plain_decimals(column: Any) -> tuple[NDArray[np.object_], NDArray[np.bool_]]:
    """Whole numbers n with value = n/10²⁰, and which values have one; n is 0 where there is none.

    A text is what `parse_exact` reads, here with at most 18 digits before the point and 20 behind it. A double is the
    shortest decimal that is nearest to it alone, as Python writes it.

    Args:
        column: a chunked Arrow array of texts or numbers; of others no value has an n.

    >>> plain_decimals(pa.chunked_array([["2.5", "1e3", None]]))[1].tolist()
    [True, False, False]
    """
    texts_of = _as_texts(column.type)
    numbers, is_plain = np.zeros(len(column), dtype=object), np.zeros(len(column), dtype=bool)
    for begin in range(0, len(column) if texts_of else 0, _RECORDS):
        piece = slice(begin, begin + _RECORDS)
        numbers[piece], is_plain[piece] = _of_texts(texts_of(column.slice(begin, _RECORDS).combine_chunks()))
    return numbers, is_plain


def _as_texts(kind: Any) -> Any:
    """The function that makes texts of values; None where they are neither texts nor numbers."""
    if pa.types.is_floating(kind):
        return lambda values: values.cast(pa.float64()).cast(pa.string())
    is_number = pa.types.is_integer(kind) or pa.types.is_decimal(kind)
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return (lambda values: values.cast(pa.string())) if is_number or is_text else None


def _of_texts(texts: Any) -> tuple[NDArray[np.object_], NDArray[np.bool_]]:
    is_plain = pc.fill_null(pc.match_substring_regex(texts, _PLAIN), False)
    decimals = pc.cast(pc.if_else(is_plain, texts, "0"), pa.decimal128(_DIGITS + _PLACES, _PLACES))
    halves = np.frombuffer(decimals.buffers()[1], dtype="<u8")[2 * decimals.offset :][: 2 * len(decimals)]
    numbers: NDArray[np.object_] = halves[::2].astype(object)
    high = halves[1::2].astype(np.int64)
    if high.any():
        numbers += high.astype(object) * 2**64
    return numbers, is_plain.to_numpy(zero_copy_only=False)
