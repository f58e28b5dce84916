"""How a table is packed for those who want no checkout: a wheel, and packages for Debian."""
