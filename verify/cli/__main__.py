"""`python -m stirred.verify.cli`: the command line."""

import sys
from importlib import import_module

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]
    sys.exit(import_module("stirred.verify.cli.main").main())
