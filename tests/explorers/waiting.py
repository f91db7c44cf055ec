"""Waiting on an event loop for what must come, however busy the machine is."""

import asyncio
import time


async def until(holds, seconds=60):
    """Let the loop go on until holds() is true. Raises AssertionError when it never is."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"waited {seconds} s in vain"
        await asyncio.sleep(0.02)
