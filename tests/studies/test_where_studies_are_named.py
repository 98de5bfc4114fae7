"""A reader who leaves a study alone meets it in few files outside its folder.

What names a study: its package; its class; its key, as a word of a text or as `config.KEY`; and as a text or
a part of a path, its stages, rules, jobs, tables of results and sections of the page. Comments and docstrings
do not count, nor do names that the library has too, such as the segmenter `lexical` and the axis `knockout`,
which are there without the study. Its line in the registry may name it.
"""

import io
import re
import tokenize
from functools import cache

import pytest

from seggrid.base.result_tables import BY_NAME
from seggrid.grid.study import STUDIES
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES

MOST = 3
FOLDER = "src/seggrid/studies/"
REGISTRY = "src/seggrid/grid/study.py"
LIBRARY = {*SEGMENTERS, *AXES, *BY_NAME}
NOT_IN_CODE = {tokenize.COMMENT, tokenize.NL}
BEFORE_DOCSTRING = {tokenize.ENCODING, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
IN_STRING = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def names_of(study):
    """Its key, and the names of what it makes."""
    rules = (study.folder() / "rules.smk").read_text("utf-8")
    made = {
        name for one in re.findall(r"^rule (\w+)|^use .* as (\w+)", rules, re.M) for name in one
    }
    made |= {file.stem for file in (study.folder() / "jobs").glob("*.py")}
    made |= {*study.stages, *(table.name for table in study.tables())}
    made |= {section.id for section in study.sections}
    return study.key, made - LIBRARY - {""}


def python(text):
    """The code of Python or of rules, and its strings, without docstrings."""
    code, strings, before = [], [], tokenize.ENCODING
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in IN_STRING and before not in BEFORE_DOCSTRING:
            strings.append(re.sub(r"^\w*['\"]+|['\"]+$", "", token.string))
        elif token.type == tokenize.NAME or token.string == ".":
            code.append(token.string)
        if token.type not in NOT_IN_CODE:
            before = token.type
    return " ".join(code).replace(" . ", "."), strings


@cache
def read(file):
    """The code of a file, and its strings; those of a profile are its words."""
    text = file.read_text("utf-8")
    if file.suffix in (".py", ".smk") or file.name == "Snakefile":
        return python(text)
    if file.suffix == ".yaml":
        return "", re.split(r"[\s=:,]+", re.sub(r"#.*", "", text))
    return "", re.findall(r"[\"'`]([^\"'`\n]*)[\"'`]", text)


def is_named(name, study, file):
    code, strings = read(file)
    key, made = names_of(study)
    package = f"seggrid.studies.{name}"
    in_code = [
        re.escape(package),
        study.__name__,
        *([f"[Cc]onfig.{key}|CONFIG.{key}"] if key else ()),
    ]
    own_word = rf"(?<![\w-]){key or package}(?![\w-])"
    own_path = rf"(.*/)?({'|'.join(map(re.escape, sorted(made)))})(/.*|\.\w+)?"
    return any(re.search(rf"\b({one})\b", code) for one in in_code) or any(
        re.search(own_word, text) or re.fullmatch(own_path, text) or f"studies/{name}" in text
        for text in strings
    )


def outside(root, name):
    """The files of the package and the workflow that are not of a study."""
    endings = {".py", ".smk", ".toml", ".yaml", ".js", ".html", ".css"}
    files = [file for part in ("src", "workflow") for file in (root / part).rglob("*")]
    for file in files:
        path = file.relative_to(root).as_posix()
        known = file.suffix in endings or file.name == "Snakefile"
        if known and path != REGISTRY and not path.startswith(f"{FOLDER}{name}/"):
            yield path, file


@pytest.mark.parametrize("name", sorted(STUDIES))
def test_a_study_is_named_in_few_files_outside_its_folder(name, root):
    found = [path for path, file in outside(root, name) if is_named(name, STUDIES[name], file)]
    assert len(found) <= MOST, found
