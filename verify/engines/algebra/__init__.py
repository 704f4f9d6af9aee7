"""The algebra of flavors: the order of specifications, small domains whole, Blackwell, the corners of two flavors."""
