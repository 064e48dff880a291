"""The Answer screen: which price can be published, what it costs, and who can still tell."""

from pages.ui import cache, sidebar
from pages.ui.decision import decision

scenario = sidebar.begin(
    "Answer", "Which price can you publish, what does it cost, and what does it still reveal?"
)
decision(cache.day(scenario))
