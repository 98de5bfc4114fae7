"""Damaged folders of models are refused by their digests."""

import shutil
import subprocess

import pytest

from seggrid.base.errors import InputError
from seggrid.grid.align_cell import Request, align_cell, align_vote
from seggrid.grid.models_folder import read_models, write_models
from seggrid.grid.recipes import read_recipe

ENGLISH = [line.split() for line in ("the house is small", "a small house", "the red house")] * 3
GERMAN = [line.split() for line in ("das haus ist klein", "ein kleines haus", "das rote haus")] * 3


@pytest.fixture
def kept(tmp_path):
    recipe = read_recipe("bpe")
    (cell,) = recipe.cells("p")
    found = align_cell(cell, ENGLISH, GERMAN, Request(keep=True))
    write_models(tmp_path / "kept", recipe, [cell], found.models)
    return tmp_path / "kept"


@pytest.fixture
def vote(tmp_path):
    (tmp_path / "r.yaml").write_text("vote: [{merges: [5, 9], aligner: fast_align}]")
    recipe = read_recipe(tmp_path / "r.yaml")
    cells = recipe.cells("p")
    found = align_vote(
        recipe.voters("p"), recipe.above, ENGLISH, GERMAN, Request(keep=True), options={}
    )
    write_models(tmp_path / "vote", recipe, cells, found.models)
    return tmp_path / "vote"


def cut(file):
    file.write_bytes(file.read_bytes()[:-20])


def exchange(file):
    shutil.copyfile(file.parent / "target.model", file)


@pytest.mark.parametrize(
    ("name", "damage", "message"),
    [
        ("aligner-0.priors", cut, "missing or changed: not the file of SHA256SUMS (copy the"),
        ("source.model", cut, "missing or changed"),
        ("source.model", exchange, "missing or changed"),
        ("recipe.yaml", cut, "missing or changed"),
        ("target.model", lambda file: file.unlink(), "missing or changed"),
        ("SHA256SUMS", cut, "not a digest and a name"),
        ("SHA256SUMS", lambda file: file.write_bytes(b""), "an empty file"),
    ],
)
def test_a_damaged_file_is_named(kept, name, damage, message):
    damage(kept / name)
    with pytest.raises(InputError) as caught:
        read_models(kept, "p")
    where, _, rest = str(caught.value).partition(": ")
    assert where in (str(kept / name), f"{kept / name}:4")
    assert message in rest


@pytest.mark.parametrize(
    ("name", "damage", "message"),
    [
        ("cell-1/source.model", cut, "missing or changed"),
        ("cell-0/target.model", lambda file: file.unlink(), "missing or changed"),
    ],
)
def test_so_is_one_of_a_cell_that_votes(vote, name, damage, message):
    read_models(vote, "p")
    damage(vote / name)
    with pytest.raises(InputError, match=message) as caught:
        read_models(vote, "p")
    assert str(caught.value).startswith(f"{vote / name}: ")


def test_the_digests_are_those_of_sha256sum(vote):
    subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=vote, check=True)
    listed = {line.split()[1] for line in (vote / "SHA256SUMS").read_text().splitlines()}
    files = {str(file.relative_to(vote)) for file in vote.rglob("*") if file.is_file()}
    assert listed == files - {"SHA256SUMS"}
    assert len(listed) == 1 + 2 * 3
    # Files of the user's own do no harm.
    (vote / "notes.txt").write_text("mine")
    read_models(vote, "p")


def test_a_user_may_delete_the_digests(kept):
    (kept / "SHA256SUMS").unlink()
    (kept / "recipe.yaml").write_text((kept / "recipe.yaml").read_text() + "# Mine.\n")
    assert read_models(kept, "p")[1] == read_recipe("bpe").cells("p")
