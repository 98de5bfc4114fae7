"""The check of links of the built site."""

from importlib import util


def test_links_that_lead_nowhere_are_found(root, tmp_path):
    spec = util.spec_from_file_location("built_site", root / "tools/site.py")
    built = util.module_from_spec(spec)
    spec.loader.exec_module(built)
    links = ["b.html", "b.html#here", "#top", "c.html", "b.html#gone", "https://example.org/x"]
    page = '<h1 id="top"></h1>' + "".join(f'<a href="{link}"></a>' for link in links)
    (tmp_path / "a.html").write_text(page, "utf-8")
    (tmp_path / "b.html").write_text('<h2 id="here"></h2><img src="d%20e.png">', "utf-8")
    (tmp_path / "d e.png").touch()
    assert built.broken(tmp_path) == {
        "a.html: c.html leads nowhere",
        "a.html: b.html#gone leads nowhere",
    }
