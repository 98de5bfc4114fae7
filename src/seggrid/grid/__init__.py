"""The axes of the grid, its cells, their paths and seeds; the config. It does not read results."""
