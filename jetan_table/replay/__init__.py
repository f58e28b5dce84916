"""What was recorded or filmed, read again."""
