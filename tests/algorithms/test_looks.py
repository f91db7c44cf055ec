"""Every line of a plot can be told from every other: no two algorithms of a setting share colour and dash."""

from collections import Counter

from dpbandits import catalogue
from dpbandits.algorithms.record import OWN_COLOUR, OWN_DASHES


def test_no_two_algorithms_of_a_setting_look_alike():
    looks = Counter((a.setting, a.colour, a.dash) for a in catalogue.algorithms().values())
    assert not [look for look, times in looks.items() if times > 1]


def test_no_algorithm_looks_like_a_learners_own():
    assert not [a.name for a in catalogue.algorithms().values() if a.colour == OWN_COLOUR and a.dash in OWN_DASHES]
