"""What stages hand to one another, and how it lies in files."""
