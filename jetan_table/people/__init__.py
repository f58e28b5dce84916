"""Simulated people at a simulated table: random but plausible play, made with human hands."""
