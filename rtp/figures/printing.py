"""What a sheet of paper holds. A chart keeps the size it has on the screen, so what does not fit is scaled.

A browser draws a page for the printer at once, before a chart could be drawn again: how much each would have
to shrink is therefore told beforehand, by `SCALE` to the style of the printed page.
"""

PAGE = "@page { size: A4; margin: 12mm; }"
WIDTH, HEIGHT = 670, 960  # pixels within the margins that a chart in its card may take
SCALE = "--on-paper"  # of the element that holds a chart
FITS = f"(chart) => Math.min(1, {WIDTH} / chart.offsetWidth, {HEIGHT} / chart.offsetHeight).toFixed(3)"
