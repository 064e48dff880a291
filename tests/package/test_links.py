"""No link of a guide is dead, and the site that is made of them needs nothing but itself."""

import re
import subprocess
import sys
from pathlib import Path

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
def test_the_site_is_made_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="make docs and make proofs install it")
    site = tmp_path / "site"
    options = ("--fail-on-warning", "-q", "-d", str(tmp_path / "trees"))
    subprocess.run([sys.executable, "-m", "sphinx", *options, "docs", str(site)], cwd=ROOT, check=True)
    outside = re.compile(r'<(?:script|link|img)[^>]*(?:src|href)="https?:')
    for page in site.rglob("*.html"):
        assert not outside.search(page.read_text(encoding="utf-8")), f"{page.name} loads from elsewhere"
