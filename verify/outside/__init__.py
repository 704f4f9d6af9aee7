"""What comes from elsewhere: code that is not ours, run in processes that can do nothing but answer."""
