"""How claims are checked: nine buildings. Each imports only what is listed after it, `mechanisms` and `spec`.

    api         what `stirred` exports, one module for each question, and pytest's plugin
    cli         what a person types: `main`, a module for each command; the guide and the site that they write
    audit       what is asked of a claim, and the answers; black boxes, libraries' objects, published records, what a
                budget lets someone learn
    prove       budgets for every number of records, by alignment of noise, with certificates
    products    the systems that a person runs, TopDown, PHSafe, surveys, swapping, cell keys, and releases checked from
                their own files; studies of what mechanisms do to statistics
    ledger      what the sources say: claims by concept, how they are stated and run, and their pages
    laws        from a claim and code to laws: the core claim and its reader, surveys, foreign code in its sandbox
    engines     how statements are decided; formulas for every size
    evidence    what was found: verdicts, witnesses, certificates that the standard library re-checks, reports; and what
                they stand on: files, pictures, signals, time limits, processes

`api` and `cli` are two doors, and `audit`, `prove`, `products` and `ledger` four houses beside each other: neither of
the two, and none of the four, imports another, but for what tests/repo/test_buildings.py names.
"""
