"""Put the workflow into the wheel, below seggrid/_project. All else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

FOLDERS = ("workflow", "config", "resources")


class BuildWithWorkflow(build_py):
    def run(self) -> None:
        super().run()
        # An editable installation finds them in the clone.
        if not self.editable_mode:
            for folder in FOLDERS:
                target = Path(self.build_lib, "seggrid/_project", folder)
                shutil.rmtree(target, ignore_errors=True)
                shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__", ".*"))


setup(cmdclass={"build_py": BuildWithWorkflow})
