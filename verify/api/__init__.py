"""The Python interface: what `stirred` exports, one module for each question, and the pytest plugin."""
