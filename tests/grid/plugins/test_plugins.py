"""A segmenter and an aligner of the user, those of docs/plugins.md, up to scored cells."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint

import pandas as pd
import pytest
import yaml

import builtin_pair
import seggrid
import sides
from seggrid.align import ALIGNERS, read_alignment
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.errors import InputError
from seggrid.commands import main
from seggrid.grid import plugins
from seggrid.grid.cell import expand
from seggrid.grid.config import check_config
from seggrid.grid.finished.crate import unpack
from seggrid.grid.plugins.contract import check_aligner, check_segmenter, check_study
from seggrid.grid.run.code_digest import code_digest
from seggrid.grid.study import STUDIES
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import LABELS
from seggrid.segment.side import parse_spec

HYPHENS = """
import re
from seggrid.text.boundary import BOUNDARY
from seggrid.segment.segmenter import Segmenter


class Hyphens(Segmenter):
    label = "hyphens"

    def cut(self, words, side):
        return map(parts, words)


def parts(word):
    return [part for part in re.split("(-)", BOUNDARY + word) if part]


SEGMENTERS = {"hyphens": Hyphens}
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a plug-in into a new folder, in which the test runs; the name of its file."""
    monkeypatch.chdir(tmp_path)

    def write(text=HYPHENS, name="mine.py"):
        (tmp_path / name).write_text(text, "utf-8")
        return name

    return write


def test_the_command_and_python_take_its_name(write, capsys):
    file = write()
    write("a well-known word\n", "text.txt")
    assert main(["segment", "text.txt", "--segmenter", "hyphens", "--plugin", file]) == 0
    assert capsys.readouterr().out == "▁a ▁well - known ▁word\n"
    assert seggrid.plugin(file) == ["hyphens"]
    cutter = seggrid.Segmenter.load(segmenter="hyphens")
    assert cutter.segment("text.txt") == [["▁a", "▁well", "-", "known", "▁word"]]


def test_an_edited_file_is_loaded_again(write):
    seggrid.plugin(write())
    seggrid.plugin(write(HYPHENS.replace('label = "hyphens"', 'label = "at hyphens"')))
    assert SEGMENTERS["hyphens"].label == LABELS["hyphens"] == "at hyphens"


@pytest.mark.parametrize(
    ("before", "after", "line", "message"),
    [
        ("def parts(word):", "def parts(word)", 14, "not valid Python"),
        ("import re\n", "import rx\n", 2, "ModuleNotFoundError"),
        ("def cut(", "def cut_all(", 18, "no cut or segment"),
        ("words, side", "words", 10, "cannot be called as cut"),
        ("    def", "    learns = True\n\n    def", 20, "no learn"),
        ('{"hyphens"', '{"bpe"', 18, "'bpe' is already registered"),
        ('{"hyphens"', '{"a b"', 18, "cannot be a name"),
        ('"hyphens"\n', '"hyphens"\n    axes = ("depth",)\n', 19, "no axis 'depth'"),
        ('"hyphens"\n', '"hyphens"\n    annotation = "tones"\n', 19, "sets annotation"),
        (": Hyphens}", ": Segmenter}", 18, "a class of another module"),
        (": Hyphens}", ": Hyphen}", 18, "NameError"),
        (": Hyphens}", ": 3}", 18, "no class of Segmenter"),
        ("SEGMENTERS =", "segmenters =", None, "registers nothing"),
        *(
            (
                '"hyphens"\n',
                f'"hyphens"\n    own_axes = (Axis("{name}", ""{more}),)\n',
                19,
                said,
            )
            for name, more, said in [
                ("merges", ', stage="learn"', "'merges' cannot be added"),
                ("aligner", ', stage="learn"', "'aligner' cannot be added"),
                ("a-b", ', stage="learn"', "'a-b' cannot be added"),
                ("depth", "", "'depth' has no stage"),
                ("depth", ', stage="learn", kind="int"', "'depth' is of kind 'int'"),
                ("depth", ', stage="learn", kind="integer"', "default of the axis 'depth': None"),
                ("depth", ', stage="learn", kind="rate", default=2', "'depth': 2 is out of range"),
            ]
        ),
        ('{"hyphens": Hyphens}', "[Hyphens]", 18, "SEGMENTERS is no dict"),
        ("import re\n", "import re; raise SystemExit(3)\n", 2, "SystemExit: 3"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(write, before, after, line, message):
    assert before in HYPHENS
    file = write(
        HYPHENS.replace(before, after, 1).replace("\n", "\nfrom seggrid.base.axis import Axis; ", 1)
    )
    with pytest.raises(InputError, match=message) as found:
        check_config({"plugins": file})
    assert found.value.file == "mine.py"
    assert line in (None, found.value.line)
    assert "hyphens" not in SEGMENTERS


CANNOT = """
    @classmethod
    def conflicts(cls, side):
        yield from super().conflicts(side)
        if side.case == "keep":
            yield Conflict("case", "hyphens knows no capitals", "use case: lower")

    def cut("""


def test_what_it_cannot_do_is_said_by_it_before_any_job(write):
    text = HYPHENS.replace("import re\n", "import re\nfrom seggrid.plugin import Conflict\n")
    pair = {side: {"text": "text.txt"} for side in ("source", "target")}
    config = {"plugins": write(text.replace("\n    def cut(", CANNOT)), "pairs": {"p": pair}}
    asked = {"segmenter": "hyphens", "aligner": "fast_align"}
    check_config({**config, "experiments": {"x": {**asked, "case": "lower"}}})
    with pytest.raises(InputError, match=r"experiments\.x\.case: hyphens knows no capitals"):
        check_config({**config, "experiments": {"x": {**asked, "case": ["lower", "keep"]}}})


@pytest.mark.parametrize("name", ["none.py", "no_such_module"])
def test_a_plugin_that_is_missing_is_named(name, write):
    write()
    with pytest.raises(InputError, match=name):
        plugins.load(name)


def test_a_mistake_in_a_call_is_one_line_with_its_place(write, capsys):
    file = write(HYPHENS.replace("map(parts, words)", "map(parts, [1])"))
    write("a word\n", "text.txt")
    assert main(["segment", "text.txt", "--segmenter", "hyphens", "--plugin", file]) == 2
    assert capsys.readouterr().err.startswith("error: mine.py:15: TypeError: ")


@pytest.mark.parametrize(
    ("place", "before", "after", "said"),
    [
        (
            0,
            "yield [BOUNDARY",
            "yield BOUNDARY + word #",
            "32: cut gives '▁the' for the word 'the'",
        ),
        (0, "else [BOUNDARY + word]", "else []", "32: cut gives [] for the word"),
        (0, "else [BOUNDARY + word]", "else ['', word]", "32: cut gives ['', "),
        (0, "else [BOUNDARY + word]", "else None", "32: cut gives None for the word"),
        (0, "else [BOUNDARY + word]", "else [b'x']", "32: cut gives [b'x'] for the word"),
        (
            0,
            "in words:\n            begins",
            "in words[1:]:\n            begins",
            "of 3 words, of 4",
        ),
        (0, "            yield", "            yield ['x']\n            yield", "of 8 words, of 4"),
        (0, "            yield", "           ", "32: cut gives the tokens of 0 words, of 4"),
        (0, "        return cls(sorted", "        cls(sorted", "21: learn gives None, no model"),
        (0, "return len(self.endings)", "return 'x'", "21: learned is 'x', no number"),
        (0, "    @property\n", "", "21: learned is <bound method"),
        (0, "return Content({}, ", "return ({}, ", "40: rows gives ({}, "),
        (0, "[[ending] for ending in", "[ending for ending in", "40: rows gives '"),
        (0, "[[ending] for", "[[3, ending] for", "40: rows gives [3, "),
        (0, "[[ending] for ending in", "[[ending + ' '] for ending in", "40: rows gives ['"),
        (0, 'content.tables["endings"]', 'content.tables["x"]', "45: KeyError: 'x'"),
        (1, "), Links.from_sets(reverse)", ")", "9: align gives Links("),
        (1, "Links.from_sets(forward), ", "", "9: align gives Links("),
        (1, "return Links", "Links", "9: align gives None"),
        (1, "return Links.from_sets(forward)", "return forward", "9: align gives ([["),
        (
            1,
            "return Links.from_sets(forward)",
            "return Links.from_sets(forward[1:])",
            "of 1 sentence",
        ),
        (
            1,
            "forward.append(",
            "forward.append([(0, 9)] +",
            "9: align gives a forward link outside",
        ),
        (
            1,
            "reverse.append(",
            "reverse.append([(-1, 0)] +",
            "9: align gives a reverse link outside",
        ),
        (1, "forward.append(", "forward.append([(1, 0), (0, 0)] +", "several forward links of one"),
        (1, "(Aligner):", "(Aligner):\n    own_axes = ['reach']", "'reach' in own_axes"),
        (1, "(Aligner):", "(Aligner):\n    settings = {'x': 1}", "31: settings of Dice"),
        (1, "check_parallel(source, target)", "raise SystemExit(3)", "10: SystemExit: 3"),
    ],
)
def test_a_wrong_result_is_one_line_with_its_place(root, write, capsys, place, before, after, said):
    text = blocks(root, "python")[place]
    assert before in text
    write("the house\nthe small houses\n", "text.txt")
    file = ["--plugin", write(text.replace(before, after, 1), "mine.py")]
    own = ["text.txt", "--segmenter", "endings", "--merges", "2", *file]
    if place:
        calls = [["align", "text.txt", "text.txt", "--aligner", "dice", *file]]
    else:
        calls = [["learn", *own, "-o", "m"], ["segment", *own, "-m", "m"]]
    assert [main(call) for call in calls][-1] == 2
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("error: mine.py:")
    assert said in told[0]


def test_an_installed_package_brings_one(write, tmp_path, monkeypatch):
    folder = tmp_path / "own_package"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "hyphens.py").write_text(HYPHENS, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("hyphens", "own_package.hyphens", "seggrid.segmenters")
    given = {"seggrid.segmenters": [entry]}
    monkeypatch.setattr(plugins, "entry_points", lambda group: given.get(group, []))
    plugins.load_installed.cache_clear()
    write("well-known\n", "text.txt")
    assert main(["segment", "text.txt", "--segmenter", "hyphens"]) == 0
    assert SEGMENTERS["hyphens"].__module__ == "own_package.hyphens"
    script = tmp_path / "script.py"
    script.touch()
    before = code_digest(script, ("own_package.hyphens",))
    (folder / "__init__.py").write_text("x = 1\n", "utf-8")
    code_digest.cache_clear()
    assert code_digest(script, ("own_package.hyphens",)) != before


def test_the_plugins_of_a_crate_run_only_if_trusted(tmp_path):
    (tmp_path / "ro-crate-metadata.json").touch()
    (tmp_path / "config.yaml").write_text("plugins: inputs/1/mine.py\n", "utf-8")
    with pytest.raises(InputError, match=r"no results/run\.json"):
        unpack(tmp_path, tmp_path / "folder", trust=True)
    (tmp_path / "results").mkdir()
    (tmp_path / "results/run.json").touch()
    with pytest.raises(InputError, match="--trust"):
        unpack(tmp_path, tmp_path / "folder")


def test_an_axis_of_its_own_is_a_key_an_option_and_part_of_paths(root, write, capsys):
    file = write(blocks(root, "python")[0])
    write("ab cab\n" * 3, "text.txt")
    experiment = {"segmenter": "endings", "merges": 5, "reach": [1, "2"]}
    pairs = {"p": {side: {"text": "text.txt"} for side in ("source", "target")}}
    with pytest.raises(InputError, match=r"experiments\.e\.reach: '2' is not a whole number"):
        check_config({"plugins": file, "pairs": pairs, "experiments": {"e": experiment}})
    checked = check_config(
        {"plugins": file, "pairs": pairs, "experiments": {"e": experiment | {"reach": 2}}}
    )
    assert checked.config.experiments["e"].values("reach") == [2]
    side = sides.side_of("endings", merges=5, reach=2)
    assert str(side) == "endings+case=keep+reach=2+merges=5"
    assert parse_spec(str(side)) == side
    assert side.reach == 2
    cutter = seggrid.Segmenter.learn("text.txt", "endings", merges=5, reach=1)
    assert cutter.segment(["cab"]) == [["▁ca", "b"]]
    with pytest.raises(InputError, match="bpe would ignore it"):
        seggrid.Segmenter.learn("text.txt", "bpe", reach=1)
    command = ["learn", "text.txt", "--plugin", file, "--segmenter", "endings", "--merges", "2"]
    assert main([*command, "--reach", "1", "-o", "model"]) == 0
    assert seggrid.Segmenter.load("model", "endings").model.endings == ["b"]


def blocks(root, language):
    page = (root / "docs/plugins.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


NEAR = """from seggrid.align import Aligner
from seggrid.base.axis import Axis
from seggrid.text.links import Links


class Near(Aligner):
    own_axes = (Axis("offset", "To the right.", kind="integer", most=9, default=1),)

    def align(self, source, target, *, threads, seed):
        pairs = zip(source.lengths.tolist(), target.lengths.tolist(), strict=True)
        links = [[(i, i + self.offset) for i in range(min(n, m - self.offset))] for n, m in pairs]
        return Links.from_sets(links), Links.from_sets(links)


ALIGNERS = {"near": Near}
"""


def test_the_axis_of_an_aligner_is_one_of_the_grid(write):
    pair = {"source": {"text": "e"}, "target": {"text": "d"}, "gold": {"file": "g"}}
    asked = {"segmenter": "words", "aligner": ["near", "fast_align"], "offset": [0, 2]}
    config = {"plugins": [write(NEAR)], "pairs": {"p": pair}, "experiments": {"x": asked}}
    found = [*expand(check_config(config).config)]
    assert [cell.offset for cell in found if cell.aligner == "near"] == [0, 2]
    assert {cell.offset for cell in found if cell.aligner != "near"} == {None}
    paths = [cell.path("align", replicate=0, part="0-0") for cell in found]
    assert sum("/near+offset=2/" in path for path in paths) == 1
    assert read_alignment("near+offset=2") == ("near", {"offset": 2})
    assert found[-1].columns()["offset"] == 2
    links = seggrid.align(["a b"], ["x y"], "words-fast_align", aligner="near", offset=1)
    assert links.lines() == ["0-1"]
    # A plug-in that was edited has the axes that it has now.
    plugins.load(write(NEAR.replace("offset", "shift")))
    assert "offset" not in ALIGNER_AXES
    with pytest.raises(InputError, match="unknown key 'offset'"):
        check_config({**config, "plugins": [write(NEAR.replace("offset", "shift"))]})


@pytest.mark.parametrize("name", ["a-b", "a=b", "a/b", ""])
def test_the_axis_of_an_aligner_has_a_name_that_paths_and_options_can_have(write, name):
    with pytest.raises(InputError, match=f"the axis '{name}' cannot be added"):
        plugins.load(write(NEAR.replace('"offset"', f'"{name}"')))


def test_the_options_of_an_aligner_are_keys_of_the_config(write):
    options = "class Options(Settings):\n    least: int = 1\n\n\n"
    text = NEAR.replace("class Near", f"{options}class Near").replace(
        "    own_axes", "    settings = Options\n    own_axes"
    )
    file = write(f"from seggrid.base.settings import Settings\n{text}")
    pair = {"source": {"text": "e"}, "target": {"text": "d"}}
    config = {"plugins": [file], "pairs": {"p": pair}, "experiments": {"x": {"aligner": "near"}}}
    assert check_config(config).config.aligners.options("near") == {"least": 1}
    checked = check_config({**config, "aligners": {"near": {"least": 3}}})
    assert checked.config.aligners.options("near") == {"least": 3}
    with pytest.raises(InputError, match=r"aligners\.near\.least: 'x' is not a whole number"):
        check_config({**config, "aligners": {"near": {"least": "x"}}})


@pytest.mark.parametrize("name", ["samples", "merges", "layer"])
def test_an_axis_of_an_aligner_may_not_have_the_name_of_another(write, name):
    with pytest.raises(InputError, match=f"the axis '{name}' cannot be added"):
        plugins.load(write(NEAR.replace("offset", name)))


@pytest.mark.parametrize(("place", "name"), [(0, "my_segmenter.py"), (1, "my_aligner.py")])
def test_those_of_the_page_pass_the_checks(root, write, place, name, capsys):
    assert main(["check-plugin", write(blocks(root, "python")[place], name)]) == 0
    assert "FAILED" not in capsys.readouterr().out


@pytest.mark.parametrize("name", sides.READING_TEXT)
def test_the_segmenters_of_the_package_pass_them(name, tmp_path):
    assert [(what, wrong) for what, wrong in check_segmenter(name, tmp_path) if wrong] == []


# Aligners of other programs check their texts themselves; the neural one needs an encoder.
@pytest.mark.parametrize("name", [name for name, own in ALIGNERS.items() if own.in_process])
def test_the_aligners_of_the_package_pass_them(name):
    assert [(what, wrong) for what, wrong in check_aligner(name) if wrong] == []


LIKELY = """
from seggrid.align.aligner import AlignedSample


class Likely(Near):
    def align_sample(self, source, target, **asked):
        links = Links.from_sets([[(9, 0)], *[[]] * (len(source) - 1)])
        return AlignedSample((links, links))


ALIGNERS = {"likely": Likely}
"""


def test_links_that_an_aligner_gives_by_a_method_of_its_own_are_checked_too(write):
    plugins.load(write(NEAR + LIKELY))
    wrong = [wrong for _, wrong in check_aligner("likely") if wrong]
    assert wrong[0] == "align gives a forward link outside its sentence"


@pytest.mark.parametrize("name", STUDIES)
def test_the_studies_of_the_package_pass_them(name):
    assert [(what, wrong) for what, wrong in check_study(name) if wrong] == []


def test_what_a_bad_one_does_wrong_is_said(write, capsys):
    file = write(HYPHENS.replace("BOUNDARY + word)", "BOUNDARY + word[:-1])"))
    with pytest.raises(SystemExit) as end:
        main(["check-plugin", file])
    assert end.value.code == 1
    failed = [line for line in capsys.readouterr().out.splitlines() if "FAILED" in line]
    assert failed[0].startswith(
        "FAILED  hyphens: tokens spell the text: the tokens 'th well - know"
    )


# Where a word is cut: by its hash, which is another one in each process; by chance.
HASHES = "hash(word) % len(word)"
DRAWS = "(random.randrange(99) + int(numpy.random.rand() * 99)) % len(word)"
UNSTEADY = """
import random
import numpy
from seggrid.text.boundary import BOUNDARY
from seggrid.segment.segmenter import Segmenter


class Unsteady(Segmenter):
    label = "unsteady"

    def cut(self, words, side):
        for word in words:
            k = PLACE
            yield [part for part in (BOUNDARY + word[:k], word[k:]) if part]


SEGMENTERS = {"unsteady": Unsteady}
"""


@pytest.mark.parametrize("place", [HASHES, DRAWS, f"random.Random(1).random() and {HASHES}"])
def test_one_that_hashes_or_draws_fails(write, capsys, place):
    with pytest.raises(SystemExit):
        main(["check-plugin", write(UNSTEADY.replace("PLACE", place))])
    failed = [line for line in capsys.readouterr().out.splitlines() if "FAILED" in line]
    assert failed[-1].startswith("FAILED  unsteady: the same in another process: another result (")


@pytest.mark.tier("check")
def test_a_grid_with_one_that_hashes_and_draws_has_the_same_tables(write, tmp_path):
    write(UNSTEADY.replace("PLACE", f"({HASHES} + {DRAWS}) % len(word)"))
    builtin_pair.write_pair(tmp_path, 40)
    config = {"plugins": "mine.py", "pairs": {"p": builtin_pair.in_config()}}
    config["experiments"] = {"x": {"segmenter": "unsteady", "aligner": "fast_align"}}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config))
    run = [
        sys.executable,
        "-m",
        "seggrid",
        "run",
        "--cores",
        "2",
        "--",
        "results/scores.csv",
    ]
    found = []
    # In processes of a server, and in processes of their own.
    for seed, server in (("1", ""), ("2", "no")):
        own = {**os.environ, "PYTHONHASHSEED": seed, "SEGGRID_FORK_SERVER": server}
        done = subprocess.run(run, env=own, capture_output=True, text=True)
        assert not done.returncode, done.stderr
        found.append((tmp_path / "results/scores.csv").read_bytes())
        shutil.rmtree(tmp_path / "results")
    assert found[0] == found[1]


def test_the_page_from_a_config_to_scores(root, write, tmp_path, snakemake):
    builtin_pair.write_pair(tmp_path, 40, ".txt")
    for name, text in zip(
        ("my_segmenter.py", "my_aligner.py"), blocks(root, "python")[:2], strict=True
    ):
        write(text, name)
    config = yaml.safe_load(blocks(root, "yaml")[0])
    config["experiments"]["own"]["merges"] = 50
    scores = "results/scores.csv"
    snakemake(tmp_path, config, scores)
    found = pd.read_csv(scores, keep_default_na=False)
    cells = {(row.segmenter, row.aligner) for row in found.itertuples()}
    assert {("endings", "dice"), ("endings", "fast_align"), ("bpe", "dice")} < cells
    reaches = {(row.segmenter, row.reach) for row in found.itertuples()}
    endings = {("endings", reach) for reach in "123"}
    assert reaches == {("words", ""), ("bpe", ""), *endings}
    assert [*(tmp_path / "results/segment").rglob("*+reach=2+merges=100/*.npz")]
    assert (found["status"] == "ok").all()
    assert (found["f1"].astype(float) > 0.2).all()

    def rerun():
        """The rules and specs that a dry run would run again."""
        said = snakemake(tmp_path, None, scores, "--configfile", "config.yaml", "-n").stdout
        outputs = re.findall(r"^    output: (\S+)", said, re.MULTILINE)
        return [file for file in outputs if "/align/" in file or "/segment/" in file]

    def found_in(files, name):
        return files and all(name in file for file in files)

    assert rerun() == []
    write(
        blocks(root, "python")[0].replace("class Endings", "# A comment.\nclass Endings"),
        "my_segmenter.py",
    )
    assert rerun() == []
    write(
        blocks(root, "python")[0].replace("range(1, len(word))", "range(2, len(word))"),
        "my_segmenter.py",
    )
    assert found_in(rerun(), "endings")
    write(blocks(root, "python")[0], "my_segmenter.py")
    write(blocks(root, "python")[1].replace("2 * tog", "4 * tog"), "my_aligner.py")
    assert found_in(rerun(), "/dice/")
    write(blocks(root, "python")[1].replace("-k))", "-q))"), "my_aligner.py")
    done = snakemake(tmp_path, None, scores, "--configfile", "config.yaml", check=False)
    assert (
        "error: my_aligner.py:35: NameError: name 'q' is not defined" in done.stderr + done.stdout
        or any(
            "my_aligner.py:35: NameError" in log.read_text("utf-8")
            for log in (tmp_path / "results/logs/align").rglob("*.log")
        )
    )
