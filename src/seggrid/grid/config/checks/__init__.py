"""The checks of each section of the config against the others, once it fits the models."""
