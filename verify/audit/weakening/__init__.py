"""How a budget gets smaller without more noise, one module for each way; `verify.audit.weakening.detectors` lists them.

Source: dissertation, section 4.3; article, sections 5.4 and 6.
"""
