"""What a table is: the seams every driver fills, and the parts on the Pi's own pins."""
