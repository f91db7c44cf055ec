"""Work that makes a picture finer, piece by piece: computed in a thread, taken in on the event loop, dropped by the
next move.

A step is a pair (compute, take): compute() touches no widget; take(what it gave) does. Where no event loop is running
(a script, a test) all steps are done at once.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

Step = tuple[Callable[[], object], Callable[[object], None]]


class Steps:
    """The steps of one panel. guarded(work): does work and tells what goes wrong; report(): draws what there is."""

    def __init__(self, guarded: Callable[[Callable[[], None]], None], report: Callable[[], None]):
        self._guarded, self._report = guarded, report
        self._left: deque[Step] = deque()
        self._turn = 0
        self._task: asyncio.Task | None = None  # a task that nobody refers to may vanish
        self.total = 0

    @property
    def left(self) -> int:
        """How many are still to be done."""
        return len(self._left)

    def start(self, steps: Iterable[Step]) -> None:
        """Drop what is left, and do these."""
        self.drop()
        self._left.extend(steps)
        self.total = self.left
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.finish()
        else:
            if self._left:
                self._task = loop.create_task(self._follow(self._turn, loop))

    def drop(self) -> bool:
        """Do no further step; whether there was one."""
        had, self._turn, self.total = bool(self._left), self._turn + 1, 0
        self._left.clear()
        return had

    def finish(self) -> None:
        """Do what is left here and now. What a thread is computing is computed again."""
        self._turn += 1
        had = bool(self._left)
        while self._left:
            compute, take = self._left.popleft()
            self._guarded(lambda compute=compute, take=take: take(compute()))
        if had:
            self._guarded(self._report)

    async def _follow(self, turn: int, loop: asyncio.AbstractEventLoop) -> None:
        while self._left:
            compute, take = self._left[0]  # it stays until its result is taken: finish() may come first
            try:
                found = await loop.run_in_executor(None, compute)
                work = lambda take=take, found=found: take(found)
            except Exception as error:  # noqa: BLE001 - told by guarded(), like any other
                work = lambda error=error: _raise(error)
            if turn != self._turn:
                return
            self._left.popleft()
            self._guarded(work)
            self._guarded(self._report)


def _raise(error: Exception) -> None:
    raise error
