"""Text from elsewhere as it may be printed: no control character, bidirectional mark or line end reaches a terminal.

It needs nothing but the standard library, so that `verify.evidence.certificates.replay` may use it.
"""

import json
import re
from typing import Any

_ASCII = re.compile(r"[\n -~]*")


def printable(text: str) -> str:
    r"""The text with every character that does not print as itself written as Python escapes it.

    >>> print(printable("a\x1b[2J" + "\u202eb\nc"))
    a\x1b[2J\u202eb\nc
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def one_line(text: str) -> str:
    r"""The text on one line: every run of white space is one blank, the rest is `printable`.

    >>> one_line("two\n  lines\x07")
    'two lines\\x07'
    """
    return printable(" ".join(text.split()))


def json_text(value: Any) -> str:
    r"""The value as JSON, indented; what does not print as itself is escaped as JSON escapes it.

    >>> print(json_text("é \x9b"))
    "é \u009b"
    """
    text = json.dumps(value, indent=1, ensure_ascii=False)
    if _ASCII.fullmatch(text):
        return text
    # a line end that `json.dumps` writes out stands between values, never in a text
    return "".join(one if one == "\n" or one.isprintable() else json.dumps(one)[1:-1] for one in text)
