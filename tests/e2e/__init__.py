"""A package, so that what is meant for it, its browser, ends with its last test."""
