"""Widgets that share their looks. Of the 250 models of a panel of regret curves, 160 were layouts and styles in which
nothing is set, each a message that a page must take in before it can draw; all plain widgets of a panel have the same.
"""

from functools import cache
from typing import TypeVar

import ipywidgets as widgets

W = TypeVar("W", bound=widgets.Widget)


class _Common:
    """A layout or a style of many widgets: changing it would change them all."""

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and name in self.keys:  # type: ignore[attr-defined]
            kind = type(self).__mro__[2].__name__
            raise ValueError(
                f"{name} = {value!r} is not allowed here, since all widgets of the panel share this {kind}: give the"
                f" widget its own, {'layout' if kind == 'Layout' else 'style'} = ipywidgets.{kind}({name}={value!r})."
            )
        super().__setattr__(name, value)


@cache
def _common(kind: type[widgets.Widget]) -> type[widgets.Widget]:
    return type(f"Common{kind.__name__}", (_Common, kind), {})


_shared: dict[type[widgets.Widget], widgets.Widget] = {}  # by kind, of the panel that is being built


def renew() -> None:
    """What is built from now on belongs to another panel."""
    _shared.clear()


def light(kind: type[W], *arguments: object, **given: object) -> W:
    """A widget of this kind, with the panel's common layout and style where none is given."""
    return kind(*arguments, **looks(kind) | given)


def box(style: str, *children: widgets.Widget, kind: type[widgets.Box] = widgets.Box) -> widgets.Box:
    """A box that the style sheet lays out."""
    return light(kind, list(children), _dom_classes=(style,))


def looks(kind: type[widgets.Widget]) -> dict[str, widgets.Widget]:
    """The panel's common layout and style for a kind of widgets."""
    traits = kind.class_traits()
    return {name: _one(traits[name].klass) for name in ("layout", "style") if name in traits}


def _one(kind: type[widgets.Widget]) -> widgets.Widget:
    one = _shared.get(kind)
    if one is None or one.comm is None:  # Widget.close_all() closes it, too
        one = _shared[kind] = _common(kind)()
    return one


def place(widget: widgets.DOMWidget, shown: object) -> None:
    """Give the widget its place in the panel if `shown` is true, else take it away."""
    display = None if shown else "none"
    if widget.layout.display == display:
        return
    if isinstance(widget.layout, _Common):
        widget.layout = widgets.Layout(display=display)
    else:
        widget.layout.display = display
