"""What every package uses and nothing of the field: settings, axes, files and their formats, kernels."""
