"""The command `tariff`: α and β from the prices of a typical day, and how often prices lie outside."""

import argparse
from pathlib import Path

from rtp.cli.options import Commands, chosen, scenario_options
from rtp.core.tables import put_text


def add(commands: "Commands[argparse.ArgumentParser]") -> None:
    tariff = commands.add_parser(
        "tariff",
        parents=[scenario_options()],
        help="find α and β for the prices of a typical day",
        description="The tariff with which the optimal rate of a typical day goes from one price to another, "
        "and the share of steps that lie outside. Without prices: those of the scenario's own tariff.",
    )
    tariff.add_argument("--low", type=float, metavar="PRICE", help="the lowest price of a typical day")
    tariff.add_argument("--high", type=float, metavar="PRICE", help="the highest")
    tariff.add_argument(
        "--load", type=Path, metavar="CSV", help="the feeder's measured load, in place of the street's"
    )
    tariff.add_argument("-o", "--out", type=Path, metavar="JSON", help="write the scenario with this tariff")
    tariff.set_defaults(command=_tariff)


def _tariff(options: argparse.Namespace) -> int:
    from rtp.money.prices import typical_prices, with_prices
    from rtp.output.prices import measured_words, outside_words, tariff_words
    from rtp.simulation import simulate

    scenario = chosen(options)
    low, high = typical_prices(scenario)
    low, high = (own if given is None else given for given, own in ((options.low, low), (options.high, high)))
    load = None
    if options.load:
        from rtp.meters import read

        load = read(options.load).mean_day()
    if load is not None or options.low is not None or options.high is not None:
        scenario = with_prices(scenario, low, high, load)
    print(tariff_words(scenario))
    if load is not None:
        print(measured_words(scenario, low, high, load))
    print(outside_words(simulate(scenario), low, high))
    if options.out:
        put_text(options.out, scenario.to_json())
    return 0
