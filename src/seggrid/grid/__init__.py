"""The axes of the grid, its cells, their paths and seeds; the config. Pure: it reads no results."""
