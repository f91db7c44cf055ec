"""All bounds by name. Each paper has a file of its own; here they meet."""

from dpbandits.bounds import cascading, chandak, chen, wang_zhu
from dpbandits.bounds.record import Bound

BOUNDS: dict[str, Bound] = {
    bound.name: bound for bound in (*wang_zhu.BOUNDS, *cascading.BOUNDS, *chen.BOUNDS, *chandak.BOUNDS)
}
