"""Labels, tables, figures and the page."""
