"""From meaning to look to light."""
