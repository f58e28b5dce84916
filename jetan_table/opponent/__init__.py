"""A player of the table's own: it searches, errs as people do where it should, and explains."""
