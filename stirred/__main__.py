"""`python -m stirred`: the command line, whatever files the current folder has."""

import sys
from importlib import import_module

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current folder: a spec.py or verify.py in it would be loaded instead
    sys.exit(import_module("stirred.verify.cli.main").main())
