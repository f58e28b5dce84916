"""The real firmware in an emulated microcontroller, with an electrical model of the board around it."""
