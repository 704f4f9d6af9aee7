"""PHSafe: how far neighbours can change its counts, and the exact budget of its release."""
