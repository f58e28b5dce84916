"""A program that plays: search, evaluation and its protocol."""
