"""The evidence: one module for each part of the sources; importing this package attaches all of it to the claims."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
