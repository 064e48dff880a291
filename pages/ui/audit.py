"""How well the observer does over many days; the promise audited exactly, by experiment, and added up."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui import jobs
from pages.ui.attacker import KNOWS, follows_all, number, time_slider, watch
from pages.ui.show import chart
from rtp.attacker import roc
from rtp.attacker.observer import Posterior
from rtp.attacker.success import DAYS, Attack, Score, attacks
from rtp.audit.exact import Account, account
from rtp.audit.trial import CONFIDENCE, Verdict, trial
from rtp.clock import when
from rtp.figures import style
from rtp.figures.audit import CURVES, ledger_alt, ledger_figure, roc_alt, roc_figure
from rtp.mechanisms import FEATURED, REGISTRY, UNPROTECTED
from rtp.simulation import Day
from rtp.statistics import Estimate
from rtp.street.days import households

MANY_DAYS = 20
REDRAW = 2.0  # seconds between pictures while days are being attacked
RELEASES = (100_000, 1_000_000, 10_000_000)
Verdicts = dict[str, Verdict | None]


def how_well(day: Day, seen: Posterior) -> None:
    """Curves and numbers over many days; until they are asked for, over the day on screen."""
    house = None if follows_all(day.scenario) else int(seen.houses[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = st.number_input(
            "Days to attack", int(DAYS.low), int(DAYS.high), MANY_DAYS, key="attacker:days", width=160
        )
        curve = st.segmented_control(
            "Curves of",
            list(CURVES),
            format_func=CURVES.__getitem__,
            default="evidence",
            required=True,
            key="attacker:curve",
        )

    def work(report: jobs.Report) -> Attack:
        for result in attacks(day.scenario, count, knows=seen.knows, house=house):
            report(result.days / count, result)
        return result

    key = f"{day.scenario.to_json(None)} {seen.knows} {house}"
    hint = "Until then: the day on screen, for the rate she sees and the unprotected one."
    job = jobs.run("attack", key, work, f"Attack {count:,} days, every rate", hint)

    @st.fragment(run_every=REDRAW if job is not None and job.state == "running" else None)
    def so_far() -> None:
        result = job.result if job is not None and job.result is not None else first_day(day, seen)
        chart(roc_figure(result, curve or "evidence"), roc_alt(result, curve or "evidence"), key="roc")
        st.table(scores_frame(result, curve or "evidence"))
        st.caption(
            f"Days: {result.days}. Houses: {len(result.houses):,}. She knows {KNOWS[result.knows]}"
            + ("; in brackets 95 % intervals over days." if result.days > 1 else ".")
        )

    so_far()


def first_day(day: Day, seen: Posterior) -> Attack:
    """The day on screen as an attack of one day; she believes the true model there."""
    occupied = households(day.life.spec, day.street, seen.houses.tolist())[0]
    both = (watch(day, UNPROTECTED, seen.knows, int(seen.houses[0])), seen)
    true = [next(iter(posterior.by_model), posterior) for posterior in both]
    alone = true[0].model_only
    return Attack(
        scenario=day.scenario,
        knows=seen.knows,
        houses=seen.houses,
        days=1,
        tallies={p.mechanism: [roc.tally(occupied, p.belief, p.prior, p.log_evidence)] for p in true},
        model_tallies=[roc.tally(occupied, alone, alone, np.zeros_like(alone))],
    )


def scores_frame(result: Attack, curve: str) -> pd.DataFrame:
    """One row per rate, and one for the guess that sees none."""
    rows = {style.label(name): score for name, score in result.scores.items()}
    rows["The model alone"] = result.model
    return pd.DataFrame({name: _cells(score, result.days, curve) for name, score in rows.items()}).T


def _cells(score: Score, days: int, curve: str) -> dict[str, str]:
    def cell(estimate: Estimate, form: str) -> str:
        text = f"{estimate.value:{form}}"
        return text if days == 1 else f"{text} ({estimate.low:{form}} – {estimate.high:{form}})"

    return {
        "Right guesses": cell(score.accuracy, ".2%"),
        "Beyond the model": cell(score.advantage, "+z.2%"),
        "Area": cell(score.evidence_auc if curve == "evidence" else score.auc, ".4f"),
        "Log-loss": cell(score.log_loss, ".4f"),
    }


def audit(day: Day) -> None:
    """What is promised, what is spent, what an experiment proves, and the sum over the day."""
    exact = _exact(day.scenario.to_json(None), day)
    n = st.select_slider("Releases per side", RELEASES, RELEASES[1], "{:,}".format, key="attacker:releases")

    def work(report: jobs.Report) -> Verdicts:
        proved: Verdicts = {}
        for i, (name, mechanism) in enumerate(REGISTRY.items()):

            def told(done: float, before: int = i) -> None:
                report((before + done) / len(REGISTRY), dict(proved))

            proved[name] = trial(day.scenario, mechanism, n=n, life=day.life, progress=told)
        return proved

    hint = "Every mechanism as a black box, on two streets that differ in one house."
    job = jobs.run("audit", f"{day.scenario.to_json(None)} {n}", work, "Put it to the test", hint)
    proved: Verdicts = job.result if job is not None and job.result else {}
    st.table(audit_frame(day, exact))
    st.caption(
        "Spent: the largest privacy loss of any house in one step, and the most that one loses all day; "
        "exact for consumption uniform up to the bounds."
    )
    if proved:
        st.table(proofs_frame(proved))
        st.caption(
            f"By {n:,} releases per side, at confidence {CONFIDENCE:.1%}, used as each promise assumes."
        )
    broken = [n for n, a in exact.items() if not a.kept or ((v := proved.get(n)) is not None and v.broken)]
    if broken:
        st.error(f"Promise broken: {', '.join(style.label(name) for name in broken)}.")
    else:
        st.success("No promise is broken" + (", neither exactly nor by experiment." if proved else "."))
    st.subheader("The ledger", anchor=False)
    st.markdown(ledger_words(day, exact, time_slider(day.scenario, "Used so far, at")))
    chart(ledger_figure(day, exact), ledger_alt(day, exact), key="ledger")


@st.cache_resource(max_entries=12, show_spinner="Auditing every house …")
def _exact(key: str, _day: Day) -> dict[str, Account]:
    return {name: account(_day, name) for name in _day.release}


def audit_frame(day: Day, exact: Mapping[str, Account]) -> pd.DataFrame:
    rows = {}
    for name, spent in exact.items():
        house, street = spent.setter, day.street
        who = f"{house} ({street.occupied_bound[house]:.3g} / {street.empty_bound[house]:.3g})"
        rows[style.label(name)] = {
            "Promised ε": number(spent.promised) if np.isfinite(spent.promised) else "nothing",
            "Spent": number(float(spent.spent.max())),
            "By house (bounds)": who if house >= 0 else "–",
            "All day": number(float(spent.spent_so_far[-1])),
        }
    return pd.DataFrame(rows).T


def proofs_frame(proved: Verdicts) -> pd.DataFrame:
    rows = {
        style.label(name): {
            "Promised ε": number(proof.promised) if np.isfinite(proof.promised) else "nothing",
            "Proved": f"at least {proof.lower_bound:.4f}",
            "House": str(proof.house),
            "It uses": "its bound or nothing" if proof.shape == "point" else "uniformly up to its bounds",
        }
        for name, proof in proved.items()
        if proof is not None
    }
    return pd.DataFrame(rows).T


def ledger_words(day: Day, exact: Mapping[str, Account], step: int) -> str:
    """ε used so far, and what ε·T means, in plain words."""
    epsilon, steps = day.scenario.epsilon, day.scenario.steps
    lost = float(exact[FEATURED].spent_so_far[step])
    return (
        f"By {when(step, day.scenario.days)}, after {step + 1} rates, **ε·t = {epsilon * (step + 1):g}** of "
        f"ε·T = {epsilon * steps:g} is used. From the Blowfish rates the house that loses most has really "
        f"lost {number(lost)}.\n\n**What ε·T = {epsilon * steps:g} means.** One rate shifts the odds between "
        f"occupied and empty by a factor of at most $e^ε = {_factor(epsilon)}$. All {steps} rates together "
        "may shift the odds between two histories that differ at every step by up to "
        f"$e^{{ε·T}} = {_factor(epsilon * steps)}$: the promise is about single moments, and a habit kept up "
        "all day enjoys only this much weaker one."
    )


def _factor(exponent: float) -> str:
    """e to that power, also where it is beyond all floats."""
    power = int(exponent // np.log(10))
    if power < 4:
        return f"{np.exp(exponent):.3g}"
    return f"{np.exp(exponent - power * np.log(10)):.1f}·10^{{{power}}}"
