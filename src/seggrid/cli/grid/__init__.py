"""The commands for studies: grids that the workflow runs."""
