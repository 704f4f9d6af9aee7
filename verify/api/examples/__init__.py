"""Published mechanisms with their exact budgets on small domains, in user code; one is wrong on purpose.

`stirred.check(mechanism)` checks the claims that stand on one; pytest does where a test module imports it.
"""
