"""The commands of `stirred`, one module each, and how their findings are printed."""
