"""A size far beyond any memory is one sentence, before anything is built, in every instance."""

import numpy as np
import pytest

from dpbandits import catalogue
from dpbandits.environments import build

SIZES = [(f.name, p.name) for f in catalogue.instances().values() for p in f.parameters if p.kind == "integer"]


@pytest.mark.parametrize("much", [10**10, 1e308])
@pytest.mark.parametrize(("name", "size"), [pair for pair in SIZES if not pair[1].endswith("_seed")])
def test_far_too_much_of_anything_is_refused(name, size, much):
    family = catalogue.instances()[name]
    needed = {p.name: np.full(3, 0.5) for p in family.parameters if p.required and p.kind == "vector"}
    small = {"gap": 1e-12} if any(p.name == "gap" for p in family.parameters) else {}
    with pytest.raises(ValueError, match=rf"{size} = 1.* is not allowed .*\.$") as error:
        build(name, **needed | small | {size: much})
    assert len(str(error.value)) < 200
