"""A session in a real browser beside its plain twin. The hand is quick: the actions of a breath are made
without a look at the page; then everything that is said of the scenario must come to be right."""

import json
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from operator import attrgetter

from playwright.sync_api import Locator, Page, TimeoutError

from rtp import PRESETS, Scenario
from rtp.scenario import BOUNDS
from rtp.scenario.share import LINK_NAMES, to_link
from rtp.scenario.typed import parse, shown
from scripts.browser import settle
from tests.browser.lab import LONGEST
from tests.browser.twin import TYPED, Plain

HOUSEHOLDS = "Households"

# The screen, the scenario's part of the address, the fields, whether one of the sidebar's has refused what
# was typed, and which of the buttons that travel through the history cannot be pressed.
SEEN = """([names, fields, refusing]) => {
    const side = document.querySelector('[data-testid=stSidebar]');
    const buttons = [...side.querySelectorAll('button')];
    const button = (label) => buttons.find((each) => each.textContent.endsWith(label));
    const alert = (name) => side.querySelector(`.st-key-number-${name} [role=alert]`);
    const said = [...new URLSearchParams(location.search)].filter(([name]) => names.includes(name));
    return {
        screen: document.title.split(' · ')[0],
        address: said.sort(([one], [other]) => one < other ? -1 : 1),
        fields: fields.map((parts) => [...document.querySelectorAll(parts)].map((each) => each.value).join()),
        refused: refusing.filter((name) => alert(name)),
        idle: ['Undo', 'Redo', 'Reset'].filter((label) => button(label)?.disabled ?? true),
    };
}"""
SAYS = f"([asked, wanted]) => JSON.stringify(({SEEN})(asked)) === wanted"

# Actions one after the other: a text into the field of a key, or a click on a button by its key or its words.
# What cannot be used yet, or is there twice while its next turn is drawn, is waited for; nothing else is.
ACTS = """async ([acts, longest]) => {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    const all = (parts) => [...document.querySelectorAll(parts)].filter((each) => each.checkVisibility());
    const words = (label) => all('button').filter((each) => each.textContent.endsWith(label));
    for (const [key, text] of acts) {
        const kind = text === null ? 'button' : 'input';
        const own = `:is(.st-key-${CSS.escape(key)}, [class*="st-key-${key}-"]) ${kind}`;
        const parts = () => [...all(own), ...(text === null ? words(key) : [])];
        const part = () => parts().length === 1 ? parts()[0] : null;
        const since = performance.now();
        while (part()?.disabled ?? true) {
            if (performance.now() - since > longest) throw new Error(`${key} cannot be used`);
            await new Promise(requestAnimationFrame);
        }
        const used = part();
        used.focus();
        if (text === null) used.click();
        else {
            write.call(used, text);
            used.dispatchEvent(new Event('input', {bubbles: true}));
            await new Promise((go) => setTimeout(go));
            used.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
        }
        await new Promise((go) => setTimeout(go, 100));  // as quick as a hand
    }
}"""


@dataclass
class Session:
    """A page, and beside it what it should say; actions wait for the end of their breath."""

    page: Page
    draw: random.Random
    plain: Plain = field(default_factory=Plain)
    screen: str = "Explore"
    visits: Counter[str] = field(default_factory=Counter)
    looked: Scenario = PRESETS["tiny street"]  # what the page said last
    refused: tuple[str, str] | None = None  # the field of the last action and its text, if it was refused
    breath: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def side(self) -> Locator:
        return self.page.get_by_test_id("stSidebar")

    def wanted(self) -> dict[str, object]:
        plain, now = self.plain, self.plain.now
        idle = {"Undo": not plain.past, "Redo": not plain.future, "Reset": now == PRESETS[plain.preset]}
        return {
            "screen": self.screen,
            "address": sorted([list(item) for item in to_link(now, plain.preset).items()]),
            "fields": list(self.fields().values()),
            "refused": self.refusing,
            "idle": [label for label, is_idle in idle.items() if is_idle],
        }

    @property
    def refusing(self) -> list[str]:
        """The name of the sidebar's field that says why it has refused."""
        name = self.refused[0].removeprefix("number-") if self.refused else ""
        return [name] if name in TYPED else []

    def fields(self) -> dict[str, str]:
        """What stands in those of the sidebar, and in those of Households that are typed into: the numbers,
        or what was refused."""
        now = self.plain.now
        said = {f".st-key-number-{name} input": shown(getattr(now, name)) for name in TYPED}
        if self.screen == HOUSEHOLDS:
            said["[class*='st-key-text-group-0-'] input"] = now.groups[0].name
            for p, period in enumerate(now.models[0].habits[0].periods):
                for r, t in ((0, 1), (1, 0)):  # arrive and leave
                    said[f"[class*='st-key-number-cell-0-0-{p}-{r}-{t}'] input"] = shown(period.matrix[r][t])
        if self.refused:
            key, text = self.refused
            said |= {parts: text for parts in said if f"st-key-{key}" in parts}
        return said

    def fill(self, key: str, text: str, value: Callable[[Scenario], object]) -> None:
        """The hand looks first where it has used that field in this breath, or the field has yet to show what
        it did elsewhere: to type what stands there is no action."""
        if value(self.plain.now) != value(self.looked) or key in [used for used, _ in self.breath]:
            self.look()
        self.act(key, text)

    def act(self, key: str, text: str | None = None) -> None:
        """What was refused is taken out of its field first."""
        if self.refused and key != self.refused[0]:
            self.breath.append((self.refused[0], ""))
        self.breath.append((key, text))
        self.refused = None

    def look_after_click(self) -> None:
        """Streamlit merges requests that reach a busy app together, and then says no more which came first.
        What is typed counts before a click, so a click is the last thing that a hand may do unseen. And where
        it has removed or moved a group, what stands there from before is refused: the new is waited for."""
        if self.breath and self.breath[-1][1] is None:
            self.look()
            settle(self.page)

    def look(self) -> None:
        """The end of a breath: everything that is said of the scenario comes to be right."""
        self.page.evaluate(ACTS, [self.breath, 1000 * LONGEST])
        done, self.breath = self.breath, []
        self.looked = self.plain.now
        asked, wanted = [list(LINK_NAMES), list(self.fields()), self.refusing], self.wanted()
        text = json.dumps(wanted, ensure_ascii=False, separators=(",", ":"))
        try:
            self.page.wait_for_function(SAYS, arg=[asked, text], polling=30, timeout=1000 * LONGEST)
        except TimeoutError:
            seen = self.page.evaluate(SEEN, asked)
            differ = {part: (said, wanted[part]) for part, said in seen.items() if said != wanted[part]}
            raise AssertionError(f"after {done}, seen and wanted: {differ}") from None
        if self.refused:
            self.breath, self.refused = [(self.refused[0], "")], None
            self.look()

    def enter(self, name: str, text: str) -> None:
        self.fill(f"number-{name}", text, attrgetter(name))
        before = shown(getattr(self.plain.now, name))
        taken = self.plain.edit(lambda now: now.replace(**{name: parse(text, BOUNDS[name])}))
        self.refused = None if taken or text in ("", before) else (f"number-{name}", text)

    def travel(self, label: str) -> None:
        """What would do nothing cannot be pressed."""
        plain, before = self.plain, deepcopy(self.plain)
        if label == "Undo":
            plain.travel(plain.past, plain.future)
        elif label == "Redo":
            plain.travel(plain.future, plain.past)
        elif label == "Reset":
            plain.put(PRESETS[plain.preset])
        else:
            plain.edit(lambda now: now.replace(seed=now.seed + 1))
        if plain != before:
            self.act(label)
