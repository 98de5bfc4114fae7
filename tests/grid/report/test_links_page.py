"""The page of `seggrid show`, in a headless Chromium; see test_page.py."""

import gzip

import numpy as np
import pytest
from browser import set_field, text

from seggrid.commands import main
from seggrid.grid.report.links import build_links_page
from seggrid.text.gold import Gold
from seggrid.text.links import Links

# Texts whose every token is markup, script, a mark of direction or 10,000 characters.
SCRIPT = "<script>window.hacked=1</script>"
MARKUP = [
    SCRIPT, f"</script>{SCRIPT}", '"><img/src=x/onerror=window.hacked=1>', "<svg/onload=window.hacked=1>",
    "<!--", "-->", "]]>", "&lt;b&gt;", "&#60;i&#62;", "${window.hacked=1}", "{{data}}", "'\"`\\",
]  # fmt: skip
NAMES = ["__proto__", "constructor", "toString", "NaN", "null", "0-0"]
DIRECTIONS = ["\u202eevil\u202c", "\u200fשלום\u200f", "\u2066x\u2069", "\u200e", "العربية"]
TOKENS = [*MARKUP, *NAMES, *DIRECTIONS]
LONG = ["x" * 10_000, "<b>" * 3_333, "e" + "\u0301" * 3_000, "😀" * 4_000 + " " + "ש" * 4_000]
LINES = [" ".join(TOKENS[k : k + 6]) for k in range(0, len(TOKENS), 6)] + LONG


@pytest.fixture
def show(tmp_path, monkeypatch, open_page):
    """Writes texts, links and gold as files, calls the command, and opens the page."""
    monkeypatch.chdir(tmp_path)

    def open_at(files, *options, address="", **how):
        for name, lines in files.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        assert main(["show", "links", "eng", "deu", *options, "-o", "page.html"]) == 0
        shown = open_page(tmp_path / "page.html", address, **how)
        shown.wait_for_selector("#viewer > *")
        return shown

    return open_at


FILES = {
    "eng": ["a b c", "d e", "caf\u00e9 f", "g"],
    "deu": ["x y z", "v", "Caf\u00e9 u", "w"],
    "links": ["0-0 1-1", "0-0", "0-1", "0-0"],
    "gold": ["0-0 1-1 2-2", "0-0 1p0", "0-0 1-1"],
}


def sentence(shown):
    return int(shown.get_attribute("#viewer", "data-sentence"))


def test_the_sentence_with_most_errors_comes_first_and_those_without_gold_last(show, capsys):
    shown = show(FILES, "--gold", "gold")
    found = [sentence(shown)]
    for _ in range(3):
        shown.click("#next")
        found.append(sentence(shown))
    assert found == [3, 1, 2, 4]  # 3, 1, 0 errors; no gold
    assert shown.is_disabled("#next")
    assert "1 linked" in text(shown, ".tallies")
    assert shown.locator(".matrix path").get_attribute("fill") == "var(--found)"
    assert "4 sentence pairs, 3 with gold" in text(shown, ".lead")
    # 3 of 4 links are right, and 3 of 6 sure links found.
    assert "links: precision 0.750, recall 0.500, F1 0.600, AER 0.400" in text(shown, "main")


def test_without_gold_links_are_neither_right_nor_wrong(show):
    shown = show(FILES)
    assert sentence(shown) == 1
    assert text(shown, ".tallies").strip() == "2 linked"
    assert "errors" not in text(shown, "#viewer-controls")
    assert shown.locator(".word").all_text_contents() == ["a", "b", "c", "x", "y", "z"]


def test_sentences_are_found_by_their_words_in_any_case_and_form(show):
    shown = show(FILES, "--gold", "gold", address="#alignments?find=CAFE%CC%81%20F")
    assert sentence(shown) == 3
    assert "1 of 4" in text(shown, ".stepper")
    shown.fill("#find", "<b>")
    shown.press("#find", "Enter")
    shown.wait_for_selector("#viewer .notice")
    assert text(shown, "#viewer") == "No sentence has these words: <b>"
    shown.fill("#find", "")
    shown.press("#find", "Enter")
    shown.wait_for_selector("#viewer[data-sentence='3']")
    assert "Sentence of 4" in text(shown, ".stepper")


def test_two_sets_of_links_are_compared(show):
    shown = show({**FILES, "more": ["0-0", "0-0", "0-1 1-0", "0-0"]}, "--other", "more")
    set_field(shown, "Order", "differ")
    assert "1 link in one of A and B only" in text(shown, ".tallies")
    assert shown.locator("select").first.locator("option").all_text_contents() == ["links", "more"]


@pytest.mark.parametrize(("gold", "kept"), [(["--gold", "gold"], ["1", "3"]), ([], ["1", "2"])])
def test_of_many_sentences_those_with_most_errors_are_shown(show, capsys, gold, kept):
    shown = show(FILES, *gold, "--most", "2", address="#alignments?order=text")
    names = [text(shown, "#viewer > .note").split()[1]]
    shown.click("#next")
    names.append(text(shown, "#viewer > .note").split()[1])
    assert names == kept
    assert "note: 2 of 4 sentence pairs are shown, those" in capsys.readouterr().err


@pytest.mark.parametrize("width", [1280, 390])
def test_every_token_is_shown_as_text_and_fits(show, width):
    links = [" ".join(f"{i}-{i}" for i in range(len(line.split(" ")))) for line in LINES]
    files = {"eng": LINES, "deu": LINES, "links": links, "gold": links[:3]}
    shown = show(files, "--gold", "gold", width=width)
    for number, line in enumerate(LINES, start=1):
        shown.evaluate(f"location.hash = '#alignments?sentence={number}'")
        shown.wait_for_selector(f"#viewer[data-sentence='{number}']")
        for side in shown.locator("#viewer .gloss").all():
            assert side.locator(".word").all_text_contents() == line.split(" ")
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth"), number
    assert shown.evaluate("window.hacked === undefined")
    assert shown.locator("main script, main img, main b b, main i, main svg svg").count() == 0


def test_the_names_of_files_are_text(open_page, tmp_path):
    links = Links.from_sets([[(0, 0)]])
    names = ("</title></script><script>hacked=1</script>", "{{data}}<img/src=x/onerror=hacked=1>")
    gold = Gold(np.array([0]), links, links)
    html = build_links_page({names[1]: links}, ([["a"]], [["x"]]), gold, sides=names, most=9)
    (tmp_path / "page.html").write_text(html, "utf-8")
    shown = open_page(tmp_path / "page.html")
    shown.wait_for_selector("#viewer[data-sentence='1']")
    assert text(shown, "h1") == f"Links of {names[0]} and {names[1]}"
    assert text(shown, "main bdi >> nth=1") == names[1]
    assert shown.locator(".gloss .language").all_text_contents() == [*names]
    assert shown.evaluate("window.hacked === undefined")


def test_the_page_is_the_same_each_time_and_may_be_compressed(show, tmp_path):
    show(FILES)
    first = (tmp_path / "page.html").read_bytes()
    assert main(["show", "links", "eng", "deu", "-o", "again.html.gz"]) == 0
    assert gzip.decompress((tmp_path / "again.html.gz").read_bytes()) == first


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["links", "eng", "deu", "--other", "links"], "links: the same links twice"),
        (["short", "eng", "deu"], "1 lines of links, but the text has 4"),
        (["wide", "eng", "deu"], "wide:4: the link 0-9 lies outside its sentence"),
        (["links", "eng", "deu", "--gold", "wide"], "wide:4: a link from word 0 to word 9"),
    ],
)
def test_mistakes_are_one_line(tmp_path, monkeypatch, capsys, options, message):
    monkeypatch.chdir(tmp_path)
    for name, lines in {**FILES, "short": ["0-0"], "wide": ["0-0"] * 3 + ["0-9"]}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    assert main(["show", *options, "-o", "page.html"]) == 2
    (line,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("error"))
    assert message in line
    assert not (tmp_path / "page.html").exists()
