"""What pyarrow says of a file that it cannot read, in the words of who made the file."""

import re


def in_words(complaint: str, names: tuple[str, ...]) -> str:
    """What pyarrow complains about, in a few words that name the cell."""
    cell = re.search(
        r"column #(\d+): .*CSV conversion error to \w+: invalid value '(.{0,40})", complaint, re.DOTALL
    )
    if cell:
        column = names[int(cell[1])] if int(cell[1]) < len(names) else cell[1]
        return (
            f"has {cell[2].removesuffix(chr(39))!r} in the column {column[:40]!r}, where a number must stand."
        )
    short = re.search(r"Expected (\d+) columns, got (\d+): (.{0,40})", complaint, re.DOTALL)
    if short:
        return f"has a row of {short[2]} cells under {short[1]} columns: {short[3]!r}."
    text = re.search(r"[Ff]ailed to parse string: '(.{0,40}?)' as a scalar of type (float|double)", complaint)
    if text:
        return f"has {text[1]!r} where a number must stand."
    if "straddling" in complaint:
        return "has a line that is far too long."
    return f"cannot be read ({' '.join(complaint.split())[:120]})."
