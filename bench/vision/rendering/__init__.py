"""Renders sequences of Jetan in many styles by POV-Ray, each with its truth."""
