"""What draws from a black box show of a budget: an event is learned, then tested on fresh draws with exact confidence.

No draws show that a budget is met. They can refute one, or a larger one; both but for a stated probability.
"""
