"""Learning Jetan: short lessons as data, who teaches them at a table, and a card for each piece."""
