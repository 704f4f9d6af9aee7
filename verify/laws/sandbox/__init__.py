"""Code that is not ours: started, confined, refused what is not its source's, and watched."""
