"""What two people agree on and do at a table beyond single plies: pure machines and plain data."""
