"""Real boards, as settings name them: pins, serial, camera, emulated."""
