"""The command line: `main`, one module for each command, and the guide that `stirred guide` prints."""
