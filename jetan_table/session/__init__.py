"""The pure machine: observations, time and commands in; events and a view out."""
