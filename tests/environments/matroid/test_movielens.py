"""The ml-1m reader on small folders of the same form, every way such a folder can be broken, and the stand-in."""

import numpy as np
import pytest

from dpbandits import simulate
from dpbandits.environments import build
from dpbandits.environments.matroid import movielens

SMALL = {"ratings": 9, "users": 4, "movies": 4}
MOVIES = (
    "1::Toy Story (1995)::Animation|Children's|Comedy\n2::Été (1968)::Drama\n7::Heat (1995)::Action\n"
    "9::Solaris (1972)::Drama|Sci-Fi\n"
)
RATINGS = "1::1::5::1\n2::1::4::1\n4::1::3::9\n1::2::3::2\n3::2::1::2\n2::9::5::3\n4::9::5::3\n3::1::2::4\n1::7::2::4\n"


def write(folder, movies=MOVIES, ratings=RATINGS, encoding="latin-1"):
    for name, text in (("movies.dat", movies), ("ratings.dat", ratings)):
        if text is not None:
            (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return folder


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_small_folder_by_hand(tmp_path, ends):
    write(tmp_path, MOVIES.replace("\n", ends), RATINGS.replace("\n", ends))
    titles, genres, users = movielens.most_rated(tmp_path, 3, SMALL)
    assert titles == ["Toy Story (1995)", "Été (1968)", "Solaris (1972)"]  # 4, 2 and 2 ratings: the smaller id first
    assert genres == [("Animation", "Children's", "Comedy"), ("Drama",), ("Drama", "Sci-Fi")]
    assert users.tolist() == [[1, 1, 0], [1, 0, 1], [1, 1, 0], [1, 0, 1]]
    instance = movielens.films_bandit("small", titles, genres, users)
    np.testing.assert_allclose(instance.means, [1, 0.5, 0.5])
    assert instance.rank == 3 and instance.vectors.shape == (3, 18) and instance.vectors.sum() == 6
    assert list(instance.parameters) == ["digest"]
    result = simulate("dpucb-mat", instance, horizon=20, runs=1, epsilon=1)
    assert (result.pulls == 20).all() and "as often as they are drawn" in result.attrs["guarantees"]


def test_files_without_a_last_line_end_are_whole(tmp_path):
    write(tmp_path, MOVIES.rstrip("\n"), RATINGS.rstrip("\n"))
    assert movielens.most_rated(tmp_path, 4, SMALL)[2].sum() == 9


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"movies": None}, "movies.dat cannot be read \\(No such file"),
        ({"ratings": None}, "ratings.dat cannot be read \\(No such file"),
        ({"ratings": ""}, "ratings.dat, line 1: the file is empty"),
        ({"movies": ""}, "movies.dat, line 1: the file is empty"),
        ({"ratings": RATINGS[:62]}, "ratings.dat, line 6: '2::9::5' is not of the form user::movie::rating::timestamp"),
        ({"ratings": RATINGS[:55]}, "ratings.dat, line 5: it ends after 5 ratings, the published file has 9"),
        ({"ratings": RATINGS + "4::2::1::1\n"}, "ratings.dat, line 10: it goes on after 9"),
        ({"ratings": RATINGS.replace("2::9::5", "2,9,5")}, "line 6: '2,9,5::3' is not of the form"),
        ({"ratings": RATINGS.replace("2::9::5", "2::nine::5")}, "line 6"),
        ({"ratings": RATINGS.replace("2::9::5", "2::" + 5000 * "9" + "::5")}, "line 6: '2::99.*' is not of the form"),
        ({"ratings": RATINGS.replace("\n2::9", "\n\n2::9")}, "line 6: '' is not"),
        ({"ratings": RATINGS.replace("2::9::5", "5::9::5")}, "line 6: there is no user 5"),
        ({"ratings": RATINGS.replace("2::9::5", "0::9::5")}, "line 6: there is no user 0"),
        ({"ratings": RATINGS.replace("2::9::5", "2::8::5")}, "line 6: there is no movie 8"),
        ({"ratings": RATINGS.replace("2::9::5", "2::9::6")}, "line 6: there is no rating 6"),
        ({"ratings": RATINGS.replace("2::9::5", "2::1::5")}, "line 6: user 2 has rated movie 1 before"),
        ({"movies": MOVIES.replace("Drama\n", "Dramma\n")}, "movies.dat, line 2: 'Dramma' is none of the 18 genres"),
        ({"movies": MOVIES.replace("::Drama\n", "\n")}, "movies.dat, line 2: .* is not of the form id::title::genres"),
        ({"movies": MOVIES.replace("9::", "7::")}, "movies.dat, line 4: the movie 7 is there twice"),
        (
            {"movies": MOVIES[: MOVIES.index("9::")]},
            "movies.dat, line 3: it ends after 3 movies, the published file has 4",
        ),
        ({"encoding": "utf-8"}, "movies.dat, line 2: the encoding is not latin-1"),
        ({"encoding": "utf-16"}, "movies.dat, line 1: the encoding is not latin-1"),
        ({"ratings": RATINGS.encode("utf-8-sig")}, "ratings.dat, line 1: the encoding is not latin-1"),
    ],
)
def test_a_broken_folder_gets_one_sentence(tmp_path, changes, words):
    write(tmp_path, **changes)
    with pytest.raises(ValueError, match=words) as error:
        movielens.most_rated(tmp_path, 3, SMALL)
    assert str(error.value).startswith("folder = ") and "\n" not in str(error.value)


def test_the_published_counts_are_asked_for(tmp_path):
    write(tmp_path)
    with pytest.raises(ValueError, match="movies.dat, line 4: it ends after 4 movies, the published file has 3883"):
        build("movielens", folder=tmp_path)
    with pytest.raises(ValueError, match="only 4 films have ratings, and 5 are needed"):
        movielens.most_rated(tmp_path, 5, SMALL)
    for folder, words in (
        ("", "folder = ''"),
        (3, "folder = 3"),
        (str(tmp_path / "none"), "movies.dat cannot be read"),
    ):
        with pytest.raises(ValueError, match=words):
            build("movielens", folder=folder)
    with pytest.raises(ValueError, match="folder is missing"):
        build("movielens")


@pytest.mark.slow
def test_a_folder_of_the_published_size(tmp_path):
    """Made up: the real data may not be passed on. As there, 3706 of the 3883 films have ratings, and titles are in
    latin-1.
    """
    rng = np.random.default_rng(0)
    genres = ["|".join(rng.permutation(movielens.GENRES)[: rng.integers(1, 4)]) for _ in range(3883)]
    write(tmp_path, "".join(f"{m + 1}::Misérables {m + 1}, Les (1995)::{g}\n" for m, g in enumerate(genres)), "")
    pairs = np.unique(rng.integers(6040, size=1_600_000) * 3706 + (3706 * rng.random(1_600_000) ** 3).astype(int))
    pairs = rng.choice(pairs, 1_000_209, replace=False)
    counts = np.bincount(pairs % 3706)
    assert counts.size == 3706 and counts.min() > 0
    lines = (f"{p // 3706 + 1}::{p % 3706 + 1}::4::978300760\n" for p in pairs.tolist())
    (tmp_path / "ratings.dat").write_text("".join(lines))
    instance = build("movielens", folder=tmp_path)
    assert instance is build("movielens", folder=str(tmp_path))  # read once
    np.testing.assert_allclose(instance.means, np.sort(counts)[::-1][:100] / 6040)
    assert (instance.arms, instance.problem[2].shape) == (100, (6040, 100)) and 15 <= instance.rank <= 18
    first = int(np.argmax(counts)) + 1
    assert instance.titles[0] == f"Misérables {first}, Les (1995)" and instance.genres[0] == tuple(
        genres[first - 1].split("|")
    )


def test_the_stand_in():
    instance = build("movielens-like")
    assert (instance.arms, instance.problem[2].shape) == (100, (6040, 100)) and instance.vectors.shape == (100, 18)
    assert instance.means.max() == pytest.approx(0.57, abs=1e-3) and instance.means.min() == pytest.approx(
        0.2, abs=1e-3
    )
    assert (np.diff(instance.means) <= 0).all() and instance.rank in (16, 17, 18)
    assert instance.vectors.sum(axis=1).min() >= 1 and instance.vectors.sum(axis=1).max() <= 4
    users = instance.problem[2]
    assert np.corrcoef(users[:, 0], users[:, 50])[0, 1] > 0.1  # those who watch much watch both
    other = build("movielens-like", data_seed=1)
    assert (other.problem[2] != users).any() and (movielens.movielens_like(0).problem[2] == users).all()
