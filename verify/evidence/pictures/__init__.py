"""Pictures: one way of drawing them, what they show in words, and where a curve is computed."""
