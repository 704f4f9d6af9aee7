"""Files that come from elsewhere, read whole up to a stated size, and files of our own, written whole or not at all."""
