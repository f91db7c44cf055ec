"""calibrate(): the parameters at which all that is seen is (ε, δ), by the accountant."""

import math
from collections.abc import Callable
from typing import Any

from scipy.optimize import brentq

from dpbandits.algorithms.record import Algorithm
from dpbandits.auditing.accountant import DELTA_TOTAL, Account, account, subject
from dpbandits.environments import Instance, build
from dpbandits.parameters import EPSILON, HORIZON
from dpbandits.privacy.ledger import Knob

CLOSE = 1e-4  # relative precision of the parameter that is turned


def calibrate(
    algorithm: str | Algorithm | Callable,
    epsilon: float,
    delta: float,
    horizon: int,
    instance: str | Instance | None = None,
    **parameters: object,
) -> dict[str, Any]:
    """Parameters at which everything that a watcher of `horizon` rounds sees is proved to be (epsilon, delta)-private.

    `simulate(name, instance, horizon=horizon, **calibrate(name, epsilon, delta, horizon, instance))` plays at that
    promise. Of several ways (a smaller ε for each draw, part of δ for the law's own tail, a longer start phase) the
    one that the record says loses least. parameters: what else is fixed, of the algorithm or of a named instance.
    Raises ValueError for bad input, and where no parameter can make the promise.
    """
    record, instance = subject(algorithm, instance)
    epsilon, delta, horizon = EPSILON.check(epsilon), DELTA_TOTAL.check(delta, "calibrate"), HORIZON.check(horizon)
    own = {p.name for p in record.all_parameters}
    if isinstance(instance, str):
        instance = build(instance, **{name: value for name, value in parameters.items() if name not in own})
        parameters = {name: value for name, value in parameters.items() if name in own}
    best = None
    for knob in (knob for knob in record.knobs if knob.free in own and knob.free not in parameters):
        fixed = dict(knob.fixed(epsilon, delta, instance, horizon)) | parameters

        def at(value: float, knob: Knob = knob, fixed: dict = fixed) -> Account:
            # Six digits: short to read, and the same on every machine, whose logarithms may differ in their last bit.
            turned = {knob.free: float(f"{1 / value if knob.inverse else value:.6g}")}
            return account(record, instance, horizon=horizon, delta_total=delta, **fixed, **turned)

        found = _turn(knob, at, epsilon)
        if found is not None:
            chosen = {name: value for name, value in found.parameters.items() if name in {*fixed, knob.free}}
            cost = knob.cost(found.parameters, instance, horizon)
            if best is None or cost < best[0]:
                best = cost, chosen
    if best is None:
        raise ValueError(_why(record, instance, parameters, epsilon, delta, horizon))
    return best[1]


def one_selection(
    algorithm: str | Algorithm | Callable,
    epsilon: float,
    delta: float,
    horizon: int,
    instance: str | Instance | None = None,
) -> dict[str, object]:
    """Parameters with which a watcher of one selection alone has an (epsilon, delta) promise.

    Who promises each selection given the past (a perturbed leader) plays at (epsilon, delta) itself, or with the
    variance of one draw. Who promises the transcript plays as `calibrate` says: one selection is a part of it. (Given
    the whole past it is less private than that: a transcript's ε leaves up to 2ε.) Raises ValueError for bad input,
    and where no parameter can make the promise.
    """
    record, instance = subject(algorithm, instance)
    epsilon, delta = EPSILON.check(epsilon), DELTA_TOTAL.check(delta, "one_selection")
    own = record.bind({})
    if record.guarantee(own).scope != "per-selection":
        return calibrate(record, epsilon, delta, horizon, instance)
    if "epsilon" in own:
        given: dict[str, object] = {n: value for n, value in (("epsilon", epsilon), ("delta", delta)) if n in own}
        label = record.guarantee(record.bind(given))
        if label.status != "proved":
            raise ValueError(f"algorithm = {record.name} cannot be made ({epsilon:g}, {delta:g})-private: {label.note}")
        return given
    if isinstance(instance, str):
        instance = build(instance)
    first = instance.facts["arms"] * max(1, int(own.get("pre_pulls", 1))) + 1  # the first selection from data, alone
    return calibrate(record, epsilon, delta, first, instance)


def _turn(knob: Knob, at: Callable[[float], Account], epsilon: float) -> Account | None:
    """The largest value of the free parameter whose account is at most `epsilon`; None where there is none."""

    def excess(log_value: float) -> float:
        found = at(math.exp(log_value)).epsilon
        return math.log(max(found, 1e-12) / epsilon) if math.isfinite(found) else 50.0

    low, high = math.log(knob.low), math.log(knob.high)
    guess = min(max(math.log(epsilon), low), high)
    step = 1.0
    if excess(guess) > 0:
        top = guess
        while True:
            bottom = max(low, top - step)
            if excess(bottom) <= 0:
                break
            if bottom == low:
                return None
            top, step = bottom, 2 * step
    else:
        bottom = guess
        while True:
            top = min(high, bottom + step)
            if excess(top) > 0:
                break
            if top == high:  # nothing that is seen depends on it
                return at(math.exp(guess))
            bottom, step = top, 2 * step
    root = brentq(excess, bottom, top, xtol=CLOSE / 4, maxiter=60)
    sign = -1 if knob.inverse else 1
    plain = sign * math.log(float(f"{math.exp(sign * root):.4g}"))  # 1 rather than 0.99998, where it keeps the promise
    tried = [plain] if abs(plain - root) <= CLOSE else []
    for value in (*tried, root, root - CLOSE, root - 10 * CLOSE, bottom):
        if excess(value) <= 0:
            return at(math.exp(value))
    return None


def _why(record: Algorithm, instance: Instance, parameters, epsilon: float, delta: float, horizon: int) -> str:
    """Why no parameter can make the promise, in one sentence."""
    asked = f"algorithm = {record.name} cannot be made ({epsilon:g}, {delta:g})-private on {instance.name}"
    free = [knob.free for knob in record.knobs]
    if not free:
        return f"{asked}: it has no parameter that changes what it reveals."
    if taken := [name for name in free if name in parameters]:
        return f"{asked} by its {taken[0]}, which is given: leave it to the calibration."
    found = account(record, instance, horizon=horizon, delta_total=delta, **parameters)
    return f"{asked}: {found.note or 'no value of its parameters is small enough.'}"
