"""The config: its models, its reader, its checks, and its reference, which is made from the models."""

from seggrid.grid.config.check import Checked, check_config, mirror_folder
from seggrid.grid.config.read import Source, from_plain, read_config

__all__ = ["Checked", "Source", "check_config", "from_plain", "mirror_folder", "read_config"]
