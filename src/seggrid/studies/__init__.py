"""The studies: one folder each, and a line in `seggrid.grid.study.STUDIES`. None imports another."""
