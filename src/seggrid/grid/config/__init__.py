"""The config: its models, its reader, its checks, and its reference, which is made from the models."""

from seggrid.grid.config.config import Config, check_config, mirror_folder
from seggrid.grid.config.read import Node, from_plain, read_config

__all__ = ["Config", "Node", "check_config", "from_plain", "mirror_folder", "read_config"]
