"""A report as its frame: what stands on the page, with every chart, table and list as one word."""

import re

PARTS = {
    "[chart]": "figure",
    "[table]": "section|table",
    "[list]": "ul",
    "[style]": "style",
    "[script]": "script",
}


def outline(page: str) -> str:
    for word, tag in PARTS.items():
        page = re.sub(rf"<({tag})>.*?</\1>", word, page, flags=re.DOTALL)
    return re.sub(r"base64,[^\"]*", "", page)
