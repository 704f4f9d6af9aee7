"""Budgets of mechanisms for every number of records: proved by alignment of noise, or refuted on growing data sets.

`stated` says what is claimed of which function, and finds its source. `linear_facts` finds what holds at the heads of
loops, `alignment_program` finds shifts, distances and a potential by one linear program in exact rationals, `proving`
has both rules and the check of what they give, `refuting` asks the exact engine, `reasons` are a proof in words.
"""
