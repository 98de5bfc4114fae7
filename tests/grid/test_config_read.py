"""Config files are read as written, with the file and line of every value."""

import math

import pytest

from seggrid.base.errors import InputError, InputErrors
from seggrid.grid.config import read_config


@pytest.fixture
def read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def read(*texts, overrides=()):
        files = []
        for number, text in enumerate(texts):
            files.append(tmp_path / f"{number}.yaml")
            files[-1].write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_config(files, overrides)

    return read


def value(read, text):
    return read(f"a: {text}").plain()["a"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3", 3),
        ("-3", -3),
        ("1_000", 1000),
        ("3.0", 3.0),
        (".5", 0.5),
        ("1e6", 1e6),
        ("1.0e+6", 1e6),
        (".inf", math.inf),
        ("yes", True),
        ("Off", False),
        ("~", None),
        ("", None),
        ("'3'", "3"),
        ("!!str 3", "3"),
        # Values that YAML 1.1 takes for a date, or for numbers of base 60, 8, 16 and 2, are text.
        ("2024-01-02", "2024-01-02"),
        ("1:30", "1:30"),
        ("010", "010"),
        ("0x10", "0x10"),
        ("0b10", "0b10"),
        # So are numbers that Python's numbers cannot hold.
        ("9" * 5000, "9" * 5000),
        ("1e999", "1e999"),
        ("1e-9999999", "1e-9999999"),
        ("nO", "nO"),
        ("[1, yes, x]", [1, True, "x"]),
        ("{no: 1, 2: 3, 2024-01-02: 4}", {"no": 1, "2": 3, "2024-01-02": 4}),
    ],
)
def test_a_value_is_what_is_written(read, text, meant):
    found = value(read, text)
    assert found == meant
    assert type(found) is type(meant)


def test_merge_keys_and_anchors(read):
    text = "a: &a {x: 1, y: 2}\nb: &b {<<: *a, y: 3}\nc: {<<: [*b, *a], z: 4}\nd: *a\n"
    assert read(text).plain() == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
        "c": {"x": 1, "y": 3, "z": 4},
        "d": {"x": 1, "y": 2},
    }


def test_later_files_and_the_command_line_go_over_earlier_ones(read):
    source = read(
        "a: {x: 1, y: [1, 2]}\nb: 1\n",
        "\na: {y: [3]}\n",
        overrides=["b=[1, 2.5, no]", "c={x: 1}"],
    )
    assert source.plain() == {
        "a": {"x": 1, "y": [3]},
        "b": [1, 2.5, False],
        "c": {"x": 1},
    }
    places = {path: source.at(path) for path in [("a", "x"), ("a", "y"), ("b",)]}
    assert [(node.file, node.line) for node in places.values()] == [
        ("0.yaml", 1),
        ("1.yaml", 2),
        ("--config b", None),
    ]


def test_mistakes_of_all_files_and_of_the_command_line_are_told(read):
    with pytest.raises(InputErrors) as caught:
        read("a: 'x", "b: [", overrides=["c=[", "d=1"])
    lines = [line.partition(": not YAML: ") for line in str(caught.value).split("\n")]
    assert [line[0] for line in lines] == ["0.yaml:1", "1.yaml:1", "--config c"]
    with pytest.raises(InputErrors, match=r"^--config b: the key 'c' a second time .keep"):
        read("a: 1", overrides=["b={c: 1, c: 2}"])


def test_where_a_value_is_set(read):
    root = read("a:\n  b:\n    - 1\n    - 2\n  c: 3\n")
    lines = [root.at(path).line for path in [("a", "b"), ("a", "c"), ("a", "d", "e"), ("x",)]]
    assert lines == [2, 5, 1, 1]


def test_keys_given_twice(read):
    with pytest.raises(InputErrors) as caught:
        read("a: 1\nb: {c: 1, c: 2}\na: 3\n")
    assert [line.partition(" (")[0] for line in str(caught.value).split("\n")] == [
        "0.yaml:2: the key 'c' a second time, after line 2",
        "0.yaml:3: the key 'a' a second time, after line 1",
    ]


BOMB = "a: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"b{n}: &a{n + 1} [{', '.join([f'*a{n}'] * 10)}]\n" for n in range(9)
)


# Each of the mappings of the list would be a copy of the first line's.
MERGES = f"a: &a {{{', '.join(f'k{n}: 1' for n in range(1000))}}}\nb: [{'{<<: *a}, ' * 1000}]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "0.yaml: an empty file (begin it with pairs: and experiments:)"),
        ("# nothing", "0.yaml:1: not a mapping of keys to values (begin it with pairs: and"),
        ("- a\n", "0.yaml:1: not a mapping"),
        ("a:\n\t- 1\n", "0.yaml:2: not YAML: found character that cannot start any token (check"),
        ("a: 'x\n", "not YAML: found unexpected end of stream"),
        ("\na: b: c\n", "0.yaml:2: not YAML: mapping values are not allowed in this context"),
        ("a: 1\n---\nb: 2\n", "0.yaml:2: a second document (remove the line ---)"),
        ("a: !!python/object/apply:os.system [x]\n", "0.yaml:1: the tag tag:yaml.org,2002:python/"),
        ("a: !x 1\n", "0.yaml:1: the tag !x (remove it)"),
        ("a: " + "[" * 100_000, "0.yaml:1: values nested more than 30 deep (check the brackets)"),
        ("a: &a [*a]\n", "0.yaml:1: no value &a before its alias (write it out)"),
        ("? [a]\n: 1\n", "a key that is not a plain name"),
        ("<<: 3\n", "<< of something that is not a mapping"),
        (BOMB, "more than 200,000 values (use fewer aliases)"),
        (MERGES, "0.yaml:2: more than 200,000 values (use fewer aliases)"),
        ("a: 1\nb: \x00\n", "0.yaml:2: not YAML: control characters are not allowed (remove it)"),
        (b"a: 1\nb: \xe9\n", "0.yaml:2: not UTF-8: byte 0xe9"),
        ("#" * 2_000_001, "0.yaml: more than 2,000,000 bytes"),
    ],
)
def test_what_is_no_config(read, text, said):
    with pytest.raises(InputError) as caught:
        read(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^none\.yaml: no such file"):
        read_config(["none.yaml"])
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=r"^folder: a folder, not a file"):
        read_config(["folder"])
    with pytest.raises(InputError, match="cannot be read"):
        read_config(["a\0b"])


def test_byte_order_mark_and_windows_line_ends(read):
    assert read("\ufeffa: 1\r\nb: x\r\n".encode()).plain() == {"a": 1, "b": "x"}
