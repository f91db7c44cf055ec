"""Colours, dashes and the common layout. An algorithm looks the same in every figure: its record says how."""

from dpbandits.algorithms.record import Algorithm

# Okabe & Ito's palette, safe for colour-blind readers (its yellow is left out: too faint on white).
BLACK, ORANGE, SKY, GREEN, BLUE, VERMILION, PURPLE = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
VALUES = (
    (VERMILION, "solid"),
    (ORANGE, "dash"),
    (GREEN, "dashdot"),
    (BLUE, "longdash"),
    (PURPLE, "dot"),
    (SKY, "longdashdot"),
)
GREY = "#6b6b6b"
INK = "#222222"
FONT = "system-ui, 'DejaVu Sans', sans-serif"


def line(algorithm: Algorithm, width: float = 2.2) -> dict:
    """The line of an algorithm."""
    return {"color": algorithm.colour, "dash": algorithm.dash, "width": width}


def translucent(colour: str, alpha: float = 0.16) -> str:
    """#rrggbb as rgba(...), for bands and regions."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def layout(
    title: str = "",
    x: str = "",
    y: str = "",
    *,
    log_x: bool = False,
    log_y: bool = False,
    height: int = 440,
    width: int | None = None,
) -> dict:
    """Layout of every figure: white, thin grid, axes titled beside their ticks, legend inside, fixed height."""

    def axis(text: str, log: bool) -> dict:
        return {
            "title": {"text": text, "standoff": 10},
            "automargin": True,
            "type": "log" if log else "linear",
            "showline": True,
            "linecolor": INK,
            "gridcolor": "#ececec",
            "zeroline": False,
            "ticks": "outside",
            "exponentformat": "power" if log else "none",
        }

    sheet = {
        "title": {"text": title, "x": 0.02, "xanchor": "left", "font": {"size": 16}},
        "xaxis": axis(x, log_x),
        "yaxis": axis(y, log_y),
        "template": "none",
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "font": {"family": FONT, "size": 13, "color": INK},
        "margin": {"l": 70, "r": 20, "t": 50, "b": 55},
        "height": height,
        "legend": {"bgcolor": "rgba(255,255,255,0.8)", "borderwidth": 0},
        "hovermode": "closest",
    }
    return sheet | ({"width": width} if width else {})
