"""The conda environments: all packages pinned, to the tested versions; all imports of the jobs included; all
used."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions, version

import pytest
import yaml
from packaging.requirements import Requirement

from seggrid.align import ALIGNERS, ENCODING
from seggrid.grid.rules.inputs import ENVIRONMENTS
from seggrid.grid.run.code_digest import imported_modules
from seggrid.segment import SEGMENTERS
from snake import rule_files, script_named

# Programs and compilers, whose versions Python cannot tell here.
NOT_PYTHON = {"c-compiler", "cxx-compiler", "make", "pip", "python"}


# Cached: reading the metadata of all installed packages takes seconds.
distributions = cache(packages_distributions)


# Packages with different names in conda and PyPI.
ON_PYPI = {"pytorch": "torch"}


def canonical(package):
    name = re.sub(r"[-_.]+", "-", package).lower()
    return ON_PYPI.get(name, name)


@pytest.fixture(scope="module")
def envs(root):
    """The packages of each environment with their versions."""
    found = {}
    for file in sorted((root / "workflow/envs").glob("*.yaml")):
        content = yaml.safe_load(file.read_text())
        assert content["channels"] == ["conda-forge", "nodefaults"], file.name
        pins = {}
        for dependency in content["dependencies"]:
            lines, mark = (
                (dependency["pip"], "==") if isinstance(dependency, dict) else ([dependency], "=")
            )
            for line in lines:
                package, pinned, exact = line.partition(mark)
                assert pinned, f"{file.name}: {line} is not pinned"
                assert re.fullmatch(r"\d+(\.\d+)+", exact), f"{file.name}: {line}"
                pins[canonical(package)] = exact
        found[file.stem] = pins
    return found


@pytest.fixture(scope="module")
def lock(root):
    """The versions with which the project is tested, on a machine like this one."""
    lines = (root / "requirements.lock").read_text().splitlines()
    pins = [Requirement(line) for line in lines if not line.startswith("#")]
    here = [pin for pin in pins if pin.marker is None or pin.marker.evaluate()]
    found = {canonical(pin.name): str(pin.specifier).removeprefix("==") for pin in here}
    assert len(found) == len(here)
    return found


@pytest.fixture(scope="module")
def rules(root):
    """(rule, environment, script) of every rule that calls a script."""
    found, envs = [], {}
    for file in rule_files():
        for block in re.split(r"^(?=rule |use rule )", file.read_text(), flags=re.M)[1:]:
            base, rule = re.match(r"(?:use rule (\w+) as|rule) (\w+)", block).groups()
            env = re.search(r'conda:\s*(?:environment_file\("|INPUTS\.)(\w+)', block)
            envs[rule] = env[1] if env else envs.get(base)
            script = re.search(r'\bjob\("(\w+)"', block)
            if envs[rule] is not None and (env or script):
                found.append((rule, envs[rule], script and script[1]))
    return found


@pytest.fixture(scope="module")
def of_aligners(root):
    """The environment of each aligner in the rule `align`."""
    return {name: ENVIRONMENTS.get(name, "seggrid") for name in ALIGNERS if name != ENCODING}


def test_every_environment_is_used_and_exists(envs, rules, of_aligners):
    used = {env for _, env, _ in rules} - {"conda_of_aligner"}
    assert used | set(of_aligners.values()) == set(envs)


def test_environments_pin_what_the_project_is_tested_with(envs, lock):
    for name, pins in envs.items():
        for package, exact in pins.items():
            if package not in NOT_PYTHON:
                # Conda has no post-releases.
                assert exact == re.sub(r"\.post\d+$", "", lock[package]), f"{name}: {package}"


def test_environments_have_the_oldest_python_that_is_supported(envs, root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    oldest, _ = project["requires-python"].split(",")
    assert {pins["python"] for pins in envs.values()} == {oldest.removeprefix(">=")}


def test_the_lock_holds_every_requirement_as_it_is_installed(lock, root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    required = map(Requirement, sum(extras, list(project["dependencies"])))
    here = {canonical(each.name) for each in required if not each.marker or each.marker.evaluate()}
    assert here - {"seggrid"} <= set(lock)
    installed = {canonical(name) for names in distributions().values() for name in names}
    wrong = {
        package: (exact, version(package))
        for package, exact in lock.items()
        # A local build counts as the same version: torch's `+cpu`.
        if package in installed and version(package).partition("+")[0] != exact
    }
    assert wrong == {}


def imported_packages(file):
    """The distributions that a file imports, without the project and Python's own modules; if an extra is not
    installed, the names of its modules."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.partition(".")[0])
    others = names - sys.stdlib_module_names - {"seggrid"}
    # Packages of the extra `lm` that are not installed are listed by their module names.
    return {canonical(distributions().get(name, [name])[0]) for name in others}


@pytest.mark.tier("check")
def test_every_script_finds_what_it_imports(envs, rules, root, of_aligners):
    every = [segmenter.__module__ for segmenter in SEGMENTERS.values()]
    by_name = dict.fromkeys(("learn", "segment", "segmenter_morphology"), every)
    asked = [(env, script, by_name.get(rule, [])) for rule, env, script in rules]
    asked += [(env, "align", [ALIGNERS[name].__module__]) for name, env in of_aligners.items()]
    missing = {}
    for env, script, extra in asked:
        if script is None or env == "conda_of_aligner":
            continue
        path = script_named(script)
        modules = imported_modules(path, extra)
        needed = set().union(*map(imported_packages, [path, *modules.values()]))
        if not needed <= set(envs[env]):
            missing[f"{script} in {env}.yaml"] = sorted(needed - set(envs[env]))
    assert missing == {}
