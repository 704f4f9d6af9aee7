"""Where the name of a file or folder leads, to tell whether two names are of one."""

import os
from pathlib import Path


def real_path(name: str | Path) -> Path:
    """The whole path that a name leads to, links followed; nothing need be there, and no name is refused.

    A link that leads to itself is its own path: whoever reads or writes there says that it cannot.

    >>> real_path("/a/../b").as_posix()
    '/b'
    """
    return Path(os.path.realpath(name))
