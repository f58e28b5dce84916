"""A table of paper: a board and pieces to print, and a stand for a camera."""
