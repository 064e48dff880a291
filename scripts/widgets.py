"""The values that widgets hold, as a browser sends them: what the server set, or else what they began as."""

from collections.abc import Callable

from streamlit.proto.Element_pb2 import Element
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState


def texts(key: str, *values: str) -> WidgetState:
    state = WidgetState(id=key)
    state.string_array_value.data.extend(values)
    return state


def numbers(key: str, *values: float) -> WidgetState:
    state = WidgetState(id=key)
    state.double_array_value.data.extend(values)
    return state


def _slider(element: Element) -> WidgetState:
    slider = element.slider
    if slider.type != Slider.SELECT_SLIDER:
        return numbers(slider.id, *(slider.value if slider.set_value else slider.default))
    chosen = slider.raw_value if slider.set_value else [slider.options[int(i)] for i in slider.default]
    return texts(slider.id, *chosen)


def _number_input(element: Element) -> WidgetState:
    box = element.number_input
    given = box.HasField("value") if box.set_value else box.HasField("default")
    value = box.value if box.set_value else box.default
    return WidgetState(id=box.id, double_value=value) if given else WidgetState(id=box.id)


def _text_input(element: Element) -> WidgetState:
    box = element.text_input
    return WidgetState(id=box.id, string_value=box.value if box.set_value else box.default)


def _selectbox(element: Element) -> WidgetState:
    box = element.selectbox
    return WidgetState(id=box.id, string_value=box.raw_value if box.set_value else box.options[box.default])


def _button_group(element: Element) -> WidgetState:
    group = element.button_group
    chosen = group.raw_values if group.set_value else [group.options[i].content for i in group.default]
    return texts(group.id, *chosen)


def _checkbox(element: Element) -> WidgetState:
    box = element.checkbox
    return WidgetState(id=box.id, bool_value=box.value if box.set_value else box.default)


VALUES: dict[str, Callable[[Element], WidgetState]] = {
    "slider": _slider,
    "number_input": _number_input,
    "text_input": _text_input,
    "selectbox": _selectbox,
    "button_group": _button_group,
    "checkbox": _checkbox,
}
