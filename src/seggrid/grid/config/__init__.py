"""The config: its models, reading, checks, and the reference that is made from the models."""

from seggrid.grid.config.check import Checked, check_config, mirror_folder
from seggrid.grid.config.read import Source, from_plain, read_config

__all__ = ["Checked", "Source", "check_config", "from_plain", "mirror_folder", "read_config"]
