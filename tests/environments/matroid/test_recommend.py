"""What a run recommends, and what chance reaches."""

import numpy as np
import pytest

from dpbandits.environments import build
from dpbandits.environments.matroid import build as matroids
from dpbandits.environments.matroid import recommend
from dpbandits.environments.matroid.instances import matroid_bandit


def test_most_played_respects_the_matroid():
    table = build("matroid-table-6.1")
    basis = recommend.most_played(table, [50, 10, 80, 0, 20, 60, 0])  # e6 is parallel to e1, e5 = e2 + e3
    assert basis.tolist() == [2, 5, 4] and recommend.overlap(table, basis) == 1
    rows = recommend.listing(table, basis)
    assert rows[0] == {"label": "(0, 0, 1)", "mean": 0.6, "optimal": True} and [row["optimal"] for row in rows] == [
        True,
        False,
        False,
    ]
    films = build("movielens-like")
    row = recommend.listing(films, films.optimal_basis)[0]
    assert row["label"] == "Film 001" and row["optimal"] and set(row["genres"].split(", ")) == set(films.genres[0])


def test_random_bases_of_a_uniform_matroid_are_hypergeometric():
    instance = matroid_bandit(matroids.uniform(10, 4), np.linspace(0.9, 0.1, 10))
    overlaps, values = recommend.random_bases(instance, 4000)
    # mean 4·4/10, variance 4·.4·.6·6/9; five standard errors are exceeded with probability 6e-7
    assert abs(overlaps.mean() - 1.6) < 5 * np.sqrt(0.64 / 4000)
    assert abs(values.mean() - 4 * 0.5) < 5 * values.std() / np.sqrt(4000)
    assert (overlaps == recommend.random_bases(instance, 4000)[0]).all()
    shares = recommend.random_shares(instance, 4000)
    assert shares.sum() == pytest.approx(4) and np.abs(shares - 0.4).max() < 6 * np.sqrt(0.24 / 4000)
    assert shares[instance.optimal_basis].sum() == pytest.approx(overlaps.mean())
    with pytest.raises(ValueError, match="draws = 0"):
        recommend.random_bases(instance, 0)
    for ask in (recommend.overlap, recommend.listing):
        with pytest.raises(ValueError, match="elements = .99. .* from 0 to"):
            ask(instance, [99])
