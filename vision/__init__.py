"""The Sensor seam from a camera."""
