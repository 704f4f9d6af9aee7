"""The command line: `main`, one module for each command; the guide that `stirred guide` prints, and the site."""
