"""Circuit boards as code: a strip of five squares, and what joins twenty of them to a brain."""
