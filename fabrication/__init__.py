"""What a table is made of, as files to order, print and cut: all sizes come from one `Build`."""
