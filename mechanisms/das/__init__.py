"""Disclosure avoidance systems of the 2020 Census: TopDown and its toy, PHSafe, SafeTab."""
