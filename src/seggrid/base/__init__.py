"""Tools of all packages that know nothing of the field: settings, axes, files and their formats, kernels."""
