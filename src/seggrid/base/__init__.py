"""Tools for all packages, independent of the field: settings, axes, files and their formats, kernels."""
