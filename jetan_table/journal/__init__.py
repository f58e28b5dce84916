"""The truth on disk, and the files made from it."""
