"""Where a matroid's elements lie in the plane: vectors seen from aside, the edges of a graph, blocks, or sets to
represent.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from dpbandits.environments import Instance

TILT = np.radians(20)  # from how far above the floor vectors are looked at
BULGE = 0.3  # of lines that would lie on each other
APART = 0.26  # of numbers and names on turned vectors, the longest of which has length 1
ON_A_LINE = (7, 6, 8, 5, 9, 4, 10)  # of the 15 points of an edge, where its badge may stand


class Picture(NamedTuple):
    """All places are rows (x, y).

    lines: for each element a line of some points, or a single one. badges: where its number stands, shape (L, 2).
    background: lines; points, names: what else has a name (nodes, axes, sets, capacities).
    """

    lines: list[np.ndarray]
    badges: np.ndarray
    background: list[np.ndarray]
    points: np.ndarray
    names: list[str]


def picture(instance: Instance, basis: Sequence[int], turn: float = 0.0) -> Picture:
    """The picture of a matroid bandit. basis: whom it shows matched to sets; turn: degrees by which vectors are turned.

    Vectors of more than three numbers cannot be seen: their elements are points in one row.
    """
    if "edges" in instance.facts:
        return _graph(np.array(instance.edges))
    if instance.kind == "transversal":
        return _sets(instance.matroid.table, basis)
    if instance.kind == "partition":
        return _blocks(instance.matroid.table[:, 0], instance.matroid.limits)
    vectors = np.asarray(instance.facts.get("vectors", ()), float)
    return (
        _vectors(vectors, turn) if vectors.size and vectors.shape[1] <= 3 else _blocks(np.zeros(instance.arms, int), [])
    )


def element_name(number: int, label: str) -> str:
    """e1, e2, ..., and the label that the instance has for it."""
    return f"e{number}" if label in ("", f"e{number}") else f"e{number} {label}"


def bent(one: np.ndarray, other: np.ndarray, bulge: float, points: int = 15) -> np.ndarray:
    """A curve between two points that leaves the straight line to the left by `bulge` of its length, shape
    (points, 2).
    """
    t = np.linspace(0, 1, points)[:, None]
    aside = np.array([[-1, 1]]) * (other - one)[None, ::-1]
    return (1 - t) * one + t * other + 4 * bulge * t * (1 - t) * aside


def head(curve: np.ndarray, shape: Picture) -> np.ndarray:
    """A triangle that points along the curve, short of its end, where the badge is; of one size on the screen."""
    size = max(np.ptp(_all_points(shape), axis=0) * [0.02, 0.033])
    tip, along = curve[-4], curve[-4] - curve[-6]
    along = size * along / max(np.linalg.norm(along), 1e-9)
    aside = 0.5 * along[::-1] * [-1, 1]
    return np.array([tip, tip - along + aside, tip - along - aside, tip])


def lines_with_gaps(lines: Sequence[np.ndarray]) -> dict:
    """One trace of many lines; single points are left to the badges. Without any, a trace that is empty but stays in
    the legend.
    """
    gap = np.full((1, 2), np.nan)
    points = np.vstack([gap] + [part for line in lines if len(line) > 1 for part in (line, gap)])
    return {"x": points[:, 0], "y": points[:, 1], "visible": True}


def named(places: np.ndarray, names: Sequence[str]) -> dict:
    """A trace of names at places."""
    return {"x": places[:, 0], "y": places[:, 1], "text": names, "visible": True}


def room(shape: Picture) -> dict[str, list[float]]:
    """Ranges of the second pair of axes that hold the whole picture."""
    every = _all_points(shape)
    (left, low), (right, high) = every.min(axis=0) - 0.25, every.max(axis=0) + 0.25
    return {"xaxis2.range": [left, right], "yaxis2.range": [low, high]}


def _all_points(shape: Picture) -> np.ndarray:
    return np.vstack([*shape.lines, *shape.background, shape.badges, shape.points])


def _vectors(vectors: np.ndarray, turn: float) -> Picture:
    solid = np.pad(vectors, ((0, 0), (0, 3 - vectors.shape[1])))
    angle, most = np.radians(turn), np.abs(solid).max()
    to_plane = np.array(
        [
            [-np.sin(angle), -np.sin(TILT) * np.cos(angle)],
            [np.cos(angle), -np.sin(TILT) * np.sin(angle)],
            [0, np.cos(TILT)],
        ]
    )
    tips = solid @ to_plane / most
    lengths = np.linalg.norm(tips, axis=1)
    badges = tips * (1 + 0.13 / np.maximum(lengths, 0.3))[:, None]
    badges[lengths == 0] = [0, -0.16]
    axes, unit = np.diag(np.maximum(solid.max(axis=0), 0) / most + 0.4) @ to_plane, 1 / most
    floor = np.array([[0, 0, 0], [unit, 0, 0], [unit, unit, 0], [0, unit, 0], [0, 0, 0]]) @ to_plane
    shadows = [np.array([v, v * [1, 1, 0]]) @ to_plane / most for v in solid if v[2] and v[:2].any()]
    background = [np.array([[0, 0], axis]) for axis in axes] + [floor, *shadows]
    words = apart(np.vstack([badges, axes * 1.1]))
    return Picture([np.array([[0, 0], tip]) for tip in tips], words[:-3], background, words[-3:], ["x₁", "x₂", "x₃"])


def apart(places: np.ndarray, least: float = APART) -> np.ndarray:
    """The places, those that lie closer than `least` pushed away from each other; shape (points, 2)."""
    places = np.array(places, float)
    for _ in range(100):
        between = places[:, None] - places[None]
        distance = np.linalg.norm(between, axis=2)
        np.fill_diagonal(distance, np.inf)
        one, other = np.unravel_index(distance.argmin(), distance.shape)
        if distance[one, other] >= least:
            break
        along = between[one, other] / distance[one, other] if distance[one, other] > 0 else np.array([1.0, 0.0])
        push = 0.55 * (least - distance[one, other]) * along
        places[one] += push
        places[other] -= push
    return places


def _graph(edges: np.ndarray) -> Picture:
    nodes = sorted(set(edges.ravel().tolist()))
    angle = np.pi / 2 - 2 * np.pi * np.arange(len(nodes)) / len(nodes)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    place = dict(zip(nodes, circle, strict=True))
    lines, loops, copies = [], {}, {}
    for one, other in edges.tolist():
        pair = (min(one, other), max(one, other))
        earlier = copies[pair] = copies.get(pair, -1) + 1
        if one == other:
            around = np.linspace(0, 2 * np.pi, 25)[:, None]
            radius = 0.2 + 0.1 * earlier
            loops[len(lines)] = place[one] * (1 + 2 * radius)
            lines.append(place[one] * (1 + radius) + radius * np.hstack([np.cos(around), np.sin(around)]))
        else:
            lines.append(
                bent(place[pair[0]], place[pair[1]], BULGE * ((earlier + 1) // 2) * (1 if earlier % 2 else -1))
            )
    badges: list[np.ndarray] = []
    for e, line in enumerate(lines):  # on the line, where other lines and badges are far
        others = np.vstack([other for o, other in enumerate(lines) if o != e] + [*badges, circle])
        free = [np.linalg.norm(others - line[k], axis=1).min() + 0.02 * (k == 7) for k in ON_A_LINE]
        badges.append(loops[e] if e in loops else line[ON_A_LINE[int(np.argmax(free))]])
    dots = [0.03 * bent(np.array([-1, 0]), np.array([1, 0]), 0.5 * side) + node for node in circle for side in (1, -1)]
    return Picture(lines, np.array(badges), dots, circle * 1.13, [str(node) for node in nodes])


def _blocks(block_of: np.ndarray, limits: Sequence[int]) -> Picture:
    order = np.argsort(block_of, kind="stable")
    places = np.empty((block_of.size, 2))
    places[order, 0] = np.arange(block_of.size) + 0.6 * block_of[order]
    places[:, 1] = 0.0
    boxes, tops = [], []
    for b in range(len(limits)):
        (left, right), height = places[block_of == b, 0][[0, -1]] + [-0.5, 0.5], 0.6
        boxes.append(np.array([[left, -height], [right, -height], [right, height], [left, height], [left, -height]]))
        tops.append([(left + right) / 2, height + 0.25])
    names = [f"at most {limit}" if limit else "none" for limit in limits]
    return Picture([place[None] for place in places], places, boxes, np.array(tops).reshape(-1, 2), names)


def _sets(member: np.ndarray, basis: Sequence[int]) -> Picture:
    elements, sets = member.shape
    top = np.column_stack([np.arange(elements), np.ones(elements)])
    bottom = np.column_stack([(np.arange(sets) + 0.5) * elements / sets - 0.5, np.full(sets, -0.6)])
    seat = maximum_bipartite_matching(csr_matrix(member[list(basis)]), perm_type="column")
    lines = [place[None] for place in top]
    for e, s in zip(basis, seat, strict=True):
        lines[e] = np.array([top[e], bottom[s]])
    background = [np.array([top[e], bottom[s]]) for e, s in np.argwhere(member)]
    return Picture(lines, top, background, bottom - [0, 0.2], [f"S{s + 1}" for s in range(sets)])
