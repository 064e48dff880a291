"""How `make docs` builds the site: sphinx, with numpydoc for the library and MathML for formulas.

The guides are Markdown that reads well without the site, so a link there leads to a file of the checkout;
here `../CHANGELOG.md` is the page `changelog.md`. Formulas become MathML, which browsers set themselves: the
site loads nothing from elsewhere. Sphinx and not mkdocs: numpydoc reads the docstrings' own form, and a
reference that leads nowhere is a warning, which fails the build.
"""

import re
import sys
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rtp.version import VERSION

project = "RTP Privacy Lab"
release = version = VERSION
author = "The RTP Privacy Lab authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["screens"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
numpydoc_show_class_members = False
autodoc_typehints = "none"  # the sections of the docstrings say them
autodoc_member_order = "bysource"
add_module_names = False
html_theme = "furo"
html_title = f"RTP Privacy Lab {VERSION}"
html_math_renderer = "mathml"
html_show_sphinx = html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f6b74", "color-brand-content": "#0b5c8a"},
    "dark_css_variables": {"color-brand-primary": "#4cc2cc", "color-brand-content": "#7fc4ef"},
}


def _pages_for_files(_: Sphinx, __: str, source: list[str]) -> None:
    source[0] = re.sub(r"\]\(\.\./([A-Z]+)\.md", lambda link: f"]({link[1].lower()}.md", source[0])


def _inline(writer: HTML5Translator, node: nodes.math) -> None:
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _display(writer: HTML5Translator, node: nodes.math_block) -> None:
    writer.body.append(f'<div style="overflow-x: auto">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.connect("source-read", _pages_for_files)
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
