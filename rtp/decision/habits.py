"""What if people live otherwise than is believed? The error of a rate under other habits than the scenario's.

Filter and forecast lean on a model of how people live. Only that assumption is exchanged here: people live as
before, and the noise still guards against the scenario's own set of models, so every promise stands and the
mechanisms that publish the noisy rate as it is do not change at all.
"""

from dataclasses import replace

from rtp.mechanisms import REGISTRY
from rtp.scenario import LIBRARY, OccupancyModel, Scenario, ScenarioError
from rtp.simulation import draw_day, market
from rtp.street.simulate import StreetDay
from rtp.tradeoff.expected import expected, scales


def worst_habits(scenario: Scenario, rate: str) -> tuple[float, str]:
    """Return the error of a rate that leans on habits under the others for which it is largest, and which."""
    street_day, mechanism = draw_day(scenario), REGISTRY[rate]
    days = {"": street_day}
    if mechanism.postprocess is not None:
        days |= {
            words: with_assumed_model(scenario, street_day, model)
            for words, model in other_models(scenario).items()
        }
    found = {}
    for words, day in days.items():
        context = market(scenario, day)
        scale = scales(context, [mechanism], [scenario.epsilon])[rate]
        found[words] = float(expected(context, mechanism, scale)[0])
    worst = max(found, key=lambda words: found[words])
    return found[worst], worst


def other_models(scenario: Scenario) -> dict[str, OccupancyModel]:
    """Return models that differ from the true one, by words for them: the scenario's others, then all groups
    living as one of a preset's groups does."""
    offered = {f"{model.name} (of this scenario)": model for model in scenario.models[1:]}
    for name, preset in LIBRARY.items():
        for model in preset.scenario.models:
            for group, habits in zip(preset.scenario.groups, model.habits, strict=True):
                several = (len(preset.scenario.models) > 1, len(preset.scenario.groups) > 1)
                parts = [part for part, named in zip((model.name, group.name), several, strict=True) if named]
                words = ": ".join([name.capitalize(), *([", ".join(parts)] if parts else [])])
                offered[words] = OccupancyModel(habits=(habits,) * len(scenario.groups))
    models: dict[str, OccupancyModel] = {}
    seen = [scenario.models[0].habits]
    for words, model in offered.items():
        if model.habits not in seen and _allowed(scenario, model):
            seen.append(model.habits)
            models[words] = model
    return models


def with_assumed_model(scenario: Scenario, street_day: StreetDay, model: OccupancyModel) -> StreetDay:
    """Return the same day where filter and forecast assume that model."""
    return replace(draw_day(_assuming(scenario, model)), support_classes=street_day.support_classes)


def _assuming(scenario: Scenario, model: OccupancyModel) -> Scenario:
    assumed = model.replace(name="Assumed")
    true = scenario.models[0].replace(name="True")
    return scenario.replace(models=(true, assumed), assumed_model=assumed.name)


def _allowed(scenario: Scenario, model: OccupancyModel) -> bool:
    try:
        _assuming(scenario, model)
    except ScenarioError:  # a matrix without a root, where the scenario asks for roots
        return False
    return True
