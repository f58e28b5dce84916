"""A board that is not there: the image a user flashes, run by simavr."""
