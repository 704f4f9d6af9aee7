"""What specifications do to one another: order, closure, composition, recording."""
