"""All bounds by name. Each paper has a file of its own; here they meet."""

from dpbandits.bounds import azize, cascading, chandak, chen, lazy, wang_zhu
from dpbandits.bounds.record import Bound

BOUNDS: dict[str, Bound] = {
    bound.name: bound
    for bound in (*wang_zhu.BOUNDS, *cascading.BOUNDS, *chen.BOUNDS, *chandak.BOUNDS, *azize.BOUNDS, *lazy.BOUNDS)
}
