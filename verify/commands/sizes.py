"""Numbers of bytes as a command line states them."""

import re

from stirred.spec.arguments import InputError

_SIZE = re.compile("([0-9]{1,9}) ?([kKMGT])B")


def byte_count(option: str, text: str) -> int:
    """So many bytes as a text says.

    Raises:
        InputError: it is no whole number of kB, MB, GB or TB, or is 0.

    >>> byte_count("--memory", "2GB"), byte_count("--memory", "512 MB")
    (2000000000, 512000000)
    """
    found = _SIZE.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise InputError(f"{option} must be a whole number of kB, MB, GB or TB, such as 2GB; got {text!r}")
    return int(found[1]) * (1000, 10**6, 10**9, 10**12)["kmgt".index(found[2].lower())]
