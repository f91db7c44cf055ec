"""The colours of a figure on a dark sheet: what was white becomes nearly black, what carries meaning keeps its hue."""

import colorsys
import re
from functools import cache

PAPER = "#111111"  # JupyterLab's dark sheet
CONTRAST = 4.5  # at least, of a line or a letter against the paper
TINT, GREYISH = 0.78, 0.15  # from this lightness on a colour is a tint; below this saturation it is a grey
NAMES = {"white": "#ffffff", "black": "#000000"}


@cache
def on_dark(colour: str) -> str:
    """What takes the place of `colour` (#rgb, #rrggbb, rgb(), rgba(), white, black) on PAPER; other writings stay.

    Greys and tints are mirrored, so that dark letters on a pale field become pale letters on a dark one. A full colour
    becomes as light as CONTRAST asks for.
    """
    parsed = parse(colour)
    if parsed is None:
        return colour
    rgb, alpha = parsed
    hue, lightness, saturation = colorsys.rgb_to_hls(*rgb)
    if saturation < GREYISH or lightness > TINT or max(rgb) - min(rgb) < 0.08:
        dark = lightness_of(PAPER)
        rgb = colorsys.hls_to_rgb(hue, dark + (1 - lightness) * (0.93 - dark), saturation)
    else:
        while contrast(rgb) < CONTRAST:
            lightness = min(1.0, lightness + 0.01)
            rgb = colorsys.hls_to_rgb(hue, lightness, saturation)
    red, green, blue = (round(255 * part) for part in rgb)
    return f"#{red:02x}{green:02x}{blue:02x}" if alpha == 1 else f"rgba({red},{green},{blue},{alpha:g})"


def contrast(rgb: tuple[float, float, float], paper: str = PAPER) -> float:
    """Contrast of a colour (parts from 0 to 1) with `paper`, from 1 to 21, as WCAG 2 defines it."""
    low, high = sorted((_luminance(rgb), _luminance(parse(paper)[0])))
    return (high + 0.05) / (low + 0.05)


def parse(colour: str) -> tuple[tuple[float, float, float], float] | None:
    """Red, green and blue from 0 to 1, and the alpha; None where the way of writing is not known here."""
    text = NAMES.get(colour, colour)
    if match := re.fullmatch(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})", text):
        digits = match[1] if len(match[1]) == 6 else "".join(2 * d for d in match[1])
        return tuple(int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)), 1.0
    if match := re.fullmatch(r"rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.]+)\s*)?\)", text):
        return tuple(min(float(part), 255) / 255 for part in match.groups()[:3]), float(match[4] or 1)
    return None


def lightness_of(colour: str) -> float:
    """Lightness of a colour that parse() knows, from 0 to 1."""
    return colorsys.rgb_to_hls(*parse(colour)[0])[1]


def _luminance(rgb: tuple[float, float, float]) -> float:
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
