"""What the table says and says aloud, in any language."""
