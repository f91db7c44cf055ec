"""MovieLens: popular and diverse films as a linear matroid bandit (Chandak 2023, Section 6.1.2).

The arms are the 100 films with the most ratings; a film's vector has a 1 for each of its genres, so a basis is a list
of diverse films. Each round a user is drawn uniformly, and a film's weight is 1 if that user has rated it; its mean is
its number of ratings over the number of users. The data set (Harper & Konstan 2015) may not be redistributed, and
nothing here
downloads it: `movielens` reads the folder ml-1m of somebody who has it, and `movielens-like` is made up from a seed.
The reader is tested on made-up folders of the same form and size; the real one is not part of the tests.
"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from dpbandits.environments.instance import Family, Instance
from dpbandits.environments.matroid import build
from dpbandits.environments.matroid.instances import CHANDAK, matroid_bandit
from dpbandits.parameters import Parameter, show

GENRES = (
    "Action",
    "Adventure",
    "Animation",
    "Children's",
    "Comedy",
    "Crime",
    "Documentary",
    "Drama",
    "Fantasy",
    "Film-Noir",
    "Horror",
    "Musical",
    "Mystery",
    "Romance",
    "Sci-Fi",
    "Thriller",
    "War",
    "Western",
)
FILMS = 100
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
PUBLISHED = {"ratings": 1_000_209, "users": 6040, "movies": 3883}
FOLDER = Parameter(
    "folder", "your own copy of the folder ml-1m, with ratings.dat and movies.dat", kind="text", required=True
)
DATA_SEED = Parameter("data_seed", "seed of the made-up films and users", 0, kind="integer", low=0)


def movielens(folder: str | os.PathLike) -> Instance:
    """The bandit on the ml-1m data in `folder`. Raises ValueError with one sentence where a file is missing, cut short
    or changed.

    Facts besides those of a matroid bandit: titles, genres (a tuple of names for each film), vectors.
    """
    path = Path(FOLDER.check(folder, "movielens")).expanduser()
    files = (path / "ratings.dat", path / "movies.dat")
    try:
        stamps = tuple((file.stat().st_mtime_ns, file.stat().st_size) for file in files if file.is_file())
    except OSError as error:  # a name that is too long, say
        raise ValueError(f"folder = {show(folder)} is not allowed (movielens): {error.strerror}.") from None
    return _read(path, stamps)


@lru_cache(maxsize=2)
def _read(folder: Path, stamps: tuple) -> Instance:
    return films_bandit("movielens", *most_rated(folder))


def most_rated(
    folder: Path, films: int = FILMS, published=PUBLISHED
) -> tuple[list[str], list[tuple[str, ...]], np.ndarray]:
    """Titles, genres and users of the `films` most rated films (ties: smaller id), most rated first.

    users: 0 or 1, shape (users, films): who rated what. published: how many ratings, users and movies there must be.
    """
    movies = _movies(folder / "movies.dat", published["movies"])
    user, movie = _ratings(folder / "ratings.dat", movies, published)
    ids, counts = np.unique(movie, return_counts=True)
    if ids.size < films:
        where = f"folder = {str(folder)!r} is not allowed (movielens)"
        raise ValueError(f"{where}: only {ids.size} films have ratings, and {films} are needed.")
    best = ids[np.lexsort((ids, -counts))[:films]]
    users = np.zeros((published["users"], films), np.uint8)
    for place, identity in enumerate(best):
        users[user[movie == identity] - 1, place] = 1
    titles, genres = zip(*(movies[int(identity)] for identity in best), strict=True)
    return list(titles), list(genres), users


def films_bandit(
    name: str, titles: Sequence[str], genres: Sequence[Sequence[str]], users: np.ndarray, parameters=None
) -> Instance:
    """The bandit from films and users. parameters: what it was built from; left out, a digest of the data."""
    vectors = np.array([[genre in own for genre in GENRES] for own in genres], int)
    if parameters is None:
        parameters = {
            "digest": hashlib.sha256(repr(titles).encode() + vectors.tobytes() + users.tobytes()).hexdigest()[:12]
        }
    return matroid_bandit(
        build.linear(vectors, name),
        users.mean(axis=0),
        name,
        parameters,
        users=users,
        labels=titles,
        titles=list(titles),
        genres=[tuple(own) for own in genres],
        vectors=vectors,
    )


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """(number, line) of a file in latin-1, without its line ends."""
    try:
        content = file.read_bytes()
    except OSError as error:
        where = f"folder = {str(file.parent)!r} is not allowed (movielens)"
        raise ValueError(f"{where}: {file.name} cannot be read ({error.strerror}).") from None
    if not content:
        raise _refuse(file, 1, "the file is empty")
    lines = content.removesuffix(b"\n").split(b"\n")
    foreign = next((n for n, line in enumerate(lines, 1) if b"\0" in line or line.startswith(BYTE_ORDER_MARKS)), None)
    if foreign is None and not content.isascii() and _is_utf8(content):
        foreign = next(n for n, line in enumerate(lines, 1) if not line.isascii())
    if foreign is not None:
        raise _refuse(
            file,
            foreign,
            "the encoding is not latin-1, that of the published file; unpack ml-1m.zip anew and leave it so",
        )
    yield from ((number, line.removesuffix(b"\r").decode("latin-1")) for number, line in enumerate(lines, 1))


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 19  # beyond that nothing in these files is meant


def _movies(file: Path, expected: int) -> dict[int, tuple[str, tuple[str, ...]]]:
    """{id: (title, genres)} from lines MovieID::Title::Genres."""
    movies = {}
    for number, line in _lines(file):
        identity, *rest = line.split("::")
        if not _is_number(identity) or len(rest) != 2:
            raise _refuse(file, number, f"{_shown(line)} is not of the form id::title::genres")
        genres = tuple(rest[1].split("|"))
        if strange := [genre for genre in genres if genre not in GENRES]:
            raise _refuse(file, number, f"{strange[0]!r} is none of the {len(GENRES)} genres")
        if int(identity) in movies:
            raise _refuse(file, number, f"the movie {identity} is there twice")
        movies[int(identity)] = rest[0], genres
    if len(movies) != expected:
        raise _refuse(file, number, f"it ends after {len(movies)} movies, the published file has {expected}")
    return movies


def _ratings(file: Path, movies, published) -> tuple[np.ndarray, np.ndarray]:
    """(users, movies) of all ratings, from lines UserID::MovieID::Rating::Timestamp."""
    pairs = np.empty((published["ratings"] + 1, 2), np.int64)
    count = 0
    for number, line in _lines(file):
        parts = line.split("::")
        if len(parts) != 4 or not all(map(_is_number, parts)):
            raise _refuse(file, number, f"{_shown(line)} is not of the form user::movie::rating::timestamp")
        user, movie, rating = int(parts[0]), int(parts[1]), int(parts[2])
        if not 1 <= user <= published["users"] or movie not in movies or not 1 <= rating <= 5:
            known = 1 <= user <= published["users"], movie in movies
            what = f"user {user}" if not known[0] else f"rating {rating}" if known[1] else f"movie {movie}"
            raise _refuse(file, number, f"there is no {what} in this data set")
        if number > published["ratings"]:
            raise _refuse(
                file, number, f"it goes on after {published['ratings']} ratings, where the published file ends"
            )
        pairs[count] = user, movie
        count += 1
    if count < published["ratings"]:
        raise _refuse(file, number, f"it ends after {count} ratings, the published file has {published['ratings']}")
    user, movie = pairs[:count].T
    first = np.unique(user * (1 + max(movies)) + movie, return_index=True)[1]
    if first.size < count:
        repeated = int(np.setdiff1d(np.arange(count), first)[0])
        raise _refuse(file, repeated + 1, f"user {user[repeated]} has rated movie {movie[repeated]} before")
    return user, movie


def _refuse(file: Path, line: int, why: str) -> ValueError:
    return ValueError(f"folder = {str(file.parent)!r} is not allowed (movielens): {file.name}, line {line}: {why}.")


def _shown(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:57] + "...")


def movielens_like(data_seed: int = 0) -> Instance:
    """A made-up data set of the same shape: 100 films, 18 genres, 6040 users, means from .57 down to .2.

    One to four genres a film, common ones more often, so that the rank is 16 to 18; users differ in how much they
    watch, so that the weights of a round are positively correlated, as in reality.
    """
    rng = np.random.Generator(np.random.SFC64(data_seed))
    common = np.array([13, 10, 4, 5, 18, 5, 1, 22, 3, 2, 5, 3, 3, 9, 8, 11, 4, 2], float)
    genres = [
        sorted(rng.choice(len(GENRES), 1 + rng.binomial(3, 0.4), replace=False, p=common / common.sum()))
        for _ in range(FILMS)
    ]
    means = 0.57 * (0.2 / 0.57) ** (np.linspace(0, 1, FILMS) ** 0.6)
    people = PUBLISHED["users"]
    activity = rng.normal(0, 1, people)
    users = np.zeros((people, FILMS), np.uint8)
    for film, mean in enumerate(means):  # the most eager, but for a taste drawn for each film
        users[np.argsort(-activity - rng.logistic(0, 1, people))[: round(mean * people)], film] = 1
    names = [tuple(GENRES[g] for g in own) for own in genres]
    return films_bandit(
        "movielens-like", [f"Film {number + 1:03d}" for number in range(FILMS)], names, users, {"data_seed": data_seed}
    )


FAMILIES = (
    Family(
        "movielens",
        "The 100 most rated films of your MovieLens 1M",
        "matroid",
        CHANDAK,
        "Section 6.1.2",
        (FOLDER,),
        movielens,
    ),
    Family(
        "movielens-like",
        "A made-up stand-in for MovieLens 1M",
        "matroid",
        CHANDAK,
        "Section 6.1.2, the data made up",
        (DATA_SEED,),
        lru_cache(maxsize=4)(movielens_like),
    ),
)
