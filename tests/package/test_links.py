"""No link is dead: in the guides as they stand, and in the site that is made of them."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.help.root import ROOT

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """What GitHub and the site call the headings."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    text = CODE.sub("", document.read_text(encoding="utf-8"))
    linked = [*re.findall(r"\]\(([^)\s]+)\)", text), *re.findall(r'src="([^"]+)"', text)]
    for link in linked:
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        file = document.parent / path if path else document
        assert file.exists(), link
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), link


@pytest.mark.long
def test_the_site_is_made_without_a_warning_and_every_link_in_it_leads_somewhere(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="make docs and make proofs install it")
    site = tmp_path / "site"
    options = ("--fail-on-warning", "-q", "-d", str(tmp_path / "trees"))
    subprocess.run([sys.executable, "-m", "sphinx", *options, "docs", str(site)], cwd=ROOT, check=True)
    pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    assert {"index.html", "maths.html", "hosting.html", "library/simulate.html"} <= {
        page.relative_to(site).as_posix() for page in pages
    }
    for page, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme in ("https", "mailto", "data"), link
                continue
            file = page.parent / unquote(parts.path) if parts.path else page
            assert file.exists(), f"{page.name}: {link}"
            if parts.fragment and file.resolve() in pages:
                assert f'id="{parts.fragment}"' in pages[file.resolve()], f"{page.name}: {link}"
    outside = [re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="https?:', text) for text in pages.values()]
    assert not any(outside), "the site loads nothing from elsewhere"
