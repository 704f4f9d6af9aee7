"""Code that is not ours, run so that whatever it raises or prints becomes one line."""

import contextlib
import sys
from collections.abc import Iterator

from stirred.spec.arguments import InputError
from stirred.verify.evidence.finding import EngineError


@contextlib.contextmanager
def contained(where: str) -> Iterator[None]:
    """Run the body; its output goes to stderr."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except (InputError, EngineError) as error:
        raise type(error)(f"{where}: {error}") from None
    except RecursionError:
        raise InputError(f"{where}: it recurses without end") from None
    except (Exception, SystemExit) as error:
        lines = str(error).splitlines() or [""]
        raise InputError(f"{where}: it raised {type(error).__name__}{': ' if lines[0] else ''}{lines[0]}") from None
