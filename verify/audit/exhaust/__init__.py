"""The smallest budget of a mechanism on a finite domain, and the test of the claimed one; `claim` begins."""
