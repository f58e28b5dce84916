"""Which piece stands where, how the board lies, and what hands ask by the pieces they hold."""
