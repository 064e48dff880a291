"""The lab of one session: scenario, history, named scenarios, what the screens show, guided tour. Nothing of
Streamlit.

Every change is one method, which runs to its end: a run of the page can be broken off wherever it calls
Streamlit, and here it never does. Widgets hand their changes to these methods (`widgets`), the browser's
address follows them (`session`).

While the guided tour is on, the address holds the stop's number and the user's own scenario, so that a
reload, or somebody else's browser, resumes the tour there and still ends it with that scenario. What is
changed on the way is nobody's: the next stop sets its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeVar

from pages.ui.named import NamedScenarios
from pages.ui.params import DEFAULTS, EVERY_SCREEN, TOUR, TOUR_STOP, is_default, of_screen
from rtp.core.time import StepMinutes
from rtp.scenario import DEFAULT_PRESET, PRESETS, House, Scenario, ScenarioError, edit, share
from rtp.scenario.consumption import house_list_id
from rtp.scenario.describe import moved_words
from rtp.scenario.fields import sentence
from rtp.simulation.prices import at_stated_prices
from rtp.teaching.plan import PAGE, SCREEN, STOPS, TourStop

MAX_HISTORY = 100
REMOVED = "What you changed may have been removed or moved just before, so nothing has changed."

Value = TypeVar("Value")
Link = dict[str, str]
Edition = tuple[str, Scenario]  # a preset, and the scenario that was made of it
Edit = Callable[..., Scenario]  # of a scenario, and what else it needs


class PutAside(NamedTuple):
    """What is put aside for the guided tour."""

    history: tuple[Edition, ...]
    at: int
    pins: dict[int, share.Named]
    view: dict[str, Any]


class Tour(NamedTuple):
    number: int  # of the stop, from 1
    own: PutAside

    @property
    def stop(self) -> TourStop:
        return STOPS[self.number - 1]

    @property
    def edition(self) -> Edition:
        """The story's own."""
        return DEFAULT_PRESET, PRESETS[DEFAULT_PRESET]


class Followed(NamedTuple):
    """An address that was followed, the link that the lab would write for it, and what to say of it."""

    address: Link
    link: Link
    words: tuple[str, str]  # what is damaged, and what is unknown


NOWHERE = Followed({}, {}, ("", ""))


@dataclass
class Lab:
    """Mutable; one per session."""

    history: tuple[Edition, ...] = ((DEFAULT_PRESET, PRESETS[DEFAULT_PRESET]),)
    at: int = 0  # which of them is in use: those before it can be undone to, those after it redone
    named: NamedScenarios = field(default_factory=NamedScenarios)
    view: dict[str, Any] = field(default_factory=dict)  # settings of the screens that somebody has chosen
    tour: Tour | None = None
    screen: str = ""
    parts: int = 0  # changes with what groups, models and periods there are: a control belongs to one number
    refused: str = ""  # why the last change was not made
    notice: str = ""  # what the last change did beside what was asked for
    extras: dict[str, Any] = field(default_factory=dict)  # drafts, jobs and messages: what no address holds
    sent: Link = field(default_factory=dict)  # the address that the browser has, or will have
    crossed: bool = False  # one sent before may reach the browser after its Back or Forward
    followed: Followed = NOWHERE
    before: Scenario | None = None  # what stood there before the last change

    # The scenario

    @property
    def edition(self) -> Edition:
        return self.history[self.at]

    @property
    def preset(self) -> str:
        return self.edition[0]

    @property
    def scenario(self) -> Scenario:
        return self.edition[1]

    def change(self, edit: Edit, *args: object, **kwargs: object) -> None:
        """Change the scenario; what it refuses is said and the last good one stays."""
        try:
            self.open(edit(self.scenario, *args, **kwargs))
        except ScenarioError as error:
            self.refused = sentence(error, self.scenario)
        except IndexError:
            self.refused = REMOVED

    def change_part(self, parts: int, edit: Edit, *args: object) -> None:
        """Change a group, model or period from a control that was drawn while `parts` held. Where some have
        been added, removed or moved since, the control's own may be gone, and its neighbour must stay."""
        if parts != self.parts:
            self.refused = REMOVED
        else:
            self.change(edit, *args)
            self.parts = parts  # another name makes no other part

    def part_change(self, edit: Edit, *args: object) -> Callable[..., None]:
        """What a control that is drawn now does to its group, model or period, and to no other that has taken
        its place by then."""
        return partial(self.change_part, self.parts, edit, *args)

    def change_parts(self, parts: int, edit: Edit, *args: object) -> None:
        """Remove, split or move one from such a control: then there are others, and their controls, too."""
        before = self.scenario
        self.change_part(parts, edit, *args)
        self.parts += before != self.scenario

    def part_key(self, name: str) -> str:
        """The key of a control of a group, model or period: another one where there are others."""
        return f"{name}~{self.parts}" if self.parts else name

    def set(self, name: str, value: object) -> None:
        """Change one field of the scenario."""
        self.change(Scenario.replace, **{name: value})

    def set_step_minutes(self, minutes: StepMinutes, **others: object) -> None:
        """Another price interval, and what else changes with it; says which periods begin at another hour."""
        moved = edit.moved_periods(self.scenario, minutes)
        self.change(lambda scenario: edit.set_step_minutes(scenario, minutes).replace(**others))
        self.notice = "" if self.refused else " ".join(moved_words(moved))

    def open(self, scenario: Scenario, preset: str | None = None) -> None:
        """Put another scenario in place, possibly of another preset. Refuses prices that it cannot have."""
        after = (preset or self.preset, at_stated_prices(scenario))
        if after != self.edition:
            history = (*self.history[: self.at + 1], after)[-MAX_HISTORY - 1 :]
            self._put(history, len(history) - 1)

    def undo(self) -> None:
        if self.at > 0:
            self._put(self.history, self.at - 1)

    def redo(self) -> None:
        if self.at + 1 < len(self.history):
            self._put(self.history, self.at + 1)

    def open_preset(self, name: str) -> None:
        self.open(PRESETS[name], name)

    def reset(self) -> None:
        self.open_preset(self.preset)

    def restore(self, preset: str, scenario: Scenario) -> None:
        """Where the browser's Back or Forward leads: undone or redone, whichever is nearer, else a change."""
        places = [place for place, each in enumerate(self.history) if each == (preset, scenario)]
        if not places:
            self.open(scenario, preset)
        elif self.at not in places:
            self._put(self.history, min(places, key=lambda place: abs(place - self.at)))

    def _put(self, history: tuple[Edition, ...], at: int) -> None:
        before = self.scenario
        self.history, self.at, self.before = history, at, before
        self.parts += not _keeps_parts(before, self.scenario)

    def pop_message(self) -> str:
        """What was refused just now, for who can say it in the best place; else nothing."""
        message, self.refused = self.refused, ""
        return message

    def pop_notice(self) -> str:
        """What the last change did beside what was asked for, once."""
        message, self.notice = self.notice, ""
        return message

    # What the screens show

    def setting(self, name: str, default: Value) -> Value:
        """What was chosen under that name; until then the table's default, or else this one."""
        value: Value | None = self.chosen(name)
        return default if value is None else value

    def chosen(self, name: str) -> Any:
        """What was chosen under that name, until then the table's default; None: the screen decides."""
        return self.view.get(name, DEFAULTS.get(name))

    def show(self, name: str, value: object) -> None:
        """Choose a setting; None leaves the choice to the screen."""
        if value is None:
            self.view.pop(name, None)
        else:
            self.view[name] = value

    @property
    def presenting(self) -> bool:
        """Whether the screen stands in front of a class: large type, no sidebar, the moment's controls."""
        return self.setting("presenting", False)

    # Named scenarios: pinned to compare, saved in the browser

    @property
    def pins(self) -> dict[int, share.Named]:
        return self.named.pins

    def pin(self, other: Scenario | None = None) -> None:
        """Pin the scenario in use, or another, once, under a name that says what differs."""
        self.named.pin_new(other or self.scenario, self.preset)

    def attempt(self, act: Callable[..., None], *args: object) -> None:
        """Let the named scenarios change, or say why not."""
        try:
            act(*args)
        except ScenarioError as error:
            self.refused = str(error)
        except KeyError:
            self.refused = REMOVED

    # The guided tour

    def go_to_stop(self, number: int) -> None:
        """To a stop of the tour, from the one before it or from outside."""
        own = self.tour.own if self.tour else PutAside(self.history, self.at, self.pins, self.view)
        self.tour, everywhere = Tour(number, own), self._everywhere()
        self.named.pins, self.view = {}, {}
        self._put((self.tour.edition,), 0)
        self._show_link(SCREEN, {})
        self.view |= everywhere

    def leave_tour(self) -> None:
        """The user's own scenario, view, pins and history as they were."""
        if self.tour:
            everywhere, own, self.tour = self._everywhere(), self.tour.own, None
            self.named.pins, self.view = own.pins, own.view | everywhere
            self._put(own.history, own.at)

    def _everywhere(self) -> dict[str, Any]:
        """The settings that hold on every screen, whatever else is shown."""
        return {each.name: self.view[each.name] for each in of_screen(EVERY_SCREEN) if each.name in self.view}

    def _follow_tour(self, address: Link) -> list[ScenarioError]:
        """Go on where an address says so; gives what could not be read."""
        if not (text := address.get(TOUR)):
            return []
        try:
            number = TOUR_STOP.value(text)
        except ScenarioError as error:
            return [error]
        if self.tour is None or self.tour.number != number:
            self.go_to_stop(number)
        return []

    # The address

    def arrive(self, screen: str, address: Link, *, by_history: bool) -> str | None:
        """A run of a screen begins, with the address that the browser has: a fresh lab, and a way through the
        browser's history, take the view from it. Gives the page to go to where that is another one."""
        fresh, moved, self.screen = not self.screen, self.screen != screen, screen
        if fresh or by_history:
            self.load(address)
            self.crossed = by_history
            if fresh:
                self.history, self.at = (self.edition,), 0  # there is nothing to undo
                self.parts, self.before = 0, None
                if self.tour and screen != SCREEN:
                    return PAGE
        elif moved:  # the menu has given the browser its address, which it may not have put up yet
            self.sent = address
            self._follow_tour(address)
        return None

    def load(self, address: Link) -> None:
        """Show what an address says, and remember what it means."""
        self.leave_tour()
        own = {each.link for each in of_screen(self.screen)} | share.PIN_NAMES.keys() | {TOUR}
        reading = share.read_link(
            {name: text for name, text in address.items() if name not in own}, self._house_lists()
        )
        pinned = share.read_pins(address, self.pins)
        shown = self._show_link(self.screen, address)
        self.named.pins = dict(pinned.pins)
        try:
            self.restore(reading.preset, reading.scenario)
        except ScenarioError as error:  # of prices that its street cannot have
            shown.append(error)
            self.restore(reading.preset, reading.scenario.replace(price_range=None))
        stop = self._follow_tour(address)
        damaged = share.damage_words([*reading.damaged, *pinned.damaged, *shown, *stop])
        self.followed = Followed(address, self.link(), (damaged, share.unknown_words(reading.unknown)))
        self.sent = address

    def _show_link(self, screen: str, link: Link) -> list[ScenarioError]:
        """Show on a screen what a link says, and its defaults where it says nothing; gives what could not be
        read."""
        damaged = []
        for each in of_screen(screen):
            self.view.pop(each.name, None)
            if each.link in link:
                try:
                    self.show(each.name, each.value(link[each.link]))
                except ScenarioError as error:
                    damaged.append(error)
        return damaged

    def _house_lists(self) -> dict[str, tuple[House, ...]]:
        """The lists of houses that the session has seen, by their marks: a link may have no room for them."""
        lists = [scenario.houses for _, scenario in self.history]
        return {house_list_id(houses): houses for houses in lists if houses}

    def link(self, screen: str | None = None) -> Link:
        """The parameters that stand for the view on a screen, at first the one in use; on the guided tour its
        stop, and the scenario that was put aside for it."""
        return self.links([screen or self.screen])[screen or self.screen]

    def shared_link(self) -> Link:
        """The parameters with which somebody else sees what is seen here, without keys: on the guided tour
        its stop, unless the stop's scenario was changed; then the screen by itself, with that scenario."""
        shown = (self.screen, self.edition)
        if self.tour is None or shown == (SCREEN, self.tour.edition):
            link = self.link()
        else:
            link = self._links(self.edition, self.pins, [self.screen])[self.screen]
        secret = {each.link for each in of_screen(self.screen) if each.secret}
        return {name: text for name, text in link.items() if name not in secret}

    def links(self, screens: Sequence[str]) -> dict[str, Link]:
        """The same for several."""
        if self.tour is None:
            return self._links(self.edition, self.pins, screens)
        own = self.tour.own
        stop = self._links(own.history[own.at], own.pins, [EVERY_SCREEN])[EVERY_SCREEN]
        return dict.fromkeys(screens, stop | {TOUR: str(self.tour.number)})

    def _links(self, edition: Edition, pins: share.Pins, screens: Sequence[str]) -> dict[str, Link]:
        """A scenario, pins and what each screen shows: what they have in common is put together once."""
        preset, scenario = edition
        common = share.to_link(scenario, preset)
        views = {screen: common | self._view_link(screen) for screen in screens}
        return {screen: link | share.pins_to_link(pins, link) for screen, link in views.items()}

    def _view_link(self, screen: str) -> Link:
        """The parameters for what a screen shows, where that is not its default; keys stand in the address of
        their own screen only, and in no link that leads there."""
        return {
            each.link: each.text(self.view[each.name])
            for each in of_screen(screen)
            if each.name in self.view and not is_default(each, self.view[each.name])
            if not each.secret or screen in (self.screen, EVERY_SCREEN)
        }

    def address_to_send(self, address: Link) -> Link | None:
        """The address that the browser is to be sent, where it has another one, or will have when what was
        last sent arrives. One that means the view without being written as the lab would write it (damaged in
        parts, with parameters of other people's) stays as it is until the view changes."""
        wanted, crossed, self.crossed = self.link(), self.crossed, False
        if address == self.sent and (address == wanted or self._means(address, wanted)):
            return address if crossed else None
        self.sent = wanted
        return wanted

    def notes(self) -> tuple[str, str]:
        """What is damaged, and what is unknown, in the address, for as long as it stands."""
        return self.followed.words if self._means(self.sent, self.link()) else NOWHERE.words

    def _means(self, address: Link, wanted: Link) -> bool:
        return (self.followed.address, self.followed.link) == (address, wanted)


def _keeps_parts(before: Scenario, after: Scenario) -> bool:
    """Whether every group, model and period is still where it was; more may have come behind them."""
    old, new = [([group.name for group in each.groups], each.model_names) for each in (before, after)]
    if any(now[: len(was)] != was for was, now in zip(old, new, strict=True)):
        return False
    return all(
        len(was.all_periods) == len(now.all_periods)
        for model, kept in zip(before.models, after.models, strict=False)
        for was, now in zip(model.habits, kept.habits, strict=False)
    )
