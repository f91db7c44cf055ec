"""The process of one submission: it runs cells, and calls functions that they define, as the other side asks.

    python -m dpbandits.course.student FOLDER HIDDEN ...

Messages come on stdin and go out on stdout, each after its length in 8 bytes; what cells print is kept apart. A
request is {"do": "cell", "source"}, {"do": "kinds", "names"}, {"do": "call", "name", "arguments", "seconds",
"times"} or {"do": "modules"}; its answer ends with {"done": ...}. While a call runs, {"ask": number, "arguments"} asks
for the value of a function that was among its arguments.
"""

import builtins
import os
import sys
import traceback
from pathlib import Path

from dpbandits.course import coding, confine

MOST = 20_000  # characters of what a cell prints


def main() -> None:
    own, *hidden = map(Path, sys.argv[1:])
    channel = _Channel()
    os.chdir(own)
    from IPython.core.interactiveshell import InteractiveShell

    from dpbandits.checks import grading, picture  # cells of the sets draw with it, and no flag for that

    picture.OURS = False
    shell = InteractiveShell.instance(history_length=0)
    shell.history_manager.enabled = False
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None
    before = set(sys.modules)
    confined = confine.files(own, hidden)
    confine.memory()
    channel.send({"done": {"confined": confined}})
    while True:
        try:
            request = channel.receive()
            if request is None:
                return
            if request["do"] == "cell":
                done = _run(shell, request["source"])
            elif request["do"] == "kinds":
                done = {name: _kind(shell.user_ns, name) for name in request["names"]}
            elif request["do"] == "modules":
                done = sorted(name for name in set(sys.modules) - before if name.startswith("dpbandits."))
            else:
                done = _call(grading, shell.user_ns, channel, request)
            channel.send({"done": done})
        except KeyboardInterrupt:  # came too late for the cell that it was meant for
            continue


class _Channel:
    """Messages on copies of stdin and stdout; the originals are of no use to a cell."""

    def __init__(self):
        self._in, self._out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        sys.stdin = open(os.devnull)  # noqa: SIM115 - for the whole life of the process

    def send(self, value, on_function=None) -> None:
        message = coding.dumps(value, on_function)
        if len(message) > coding.LARGEST:
            message = coding.dumps({"done": {"not yet": "The result is too large to be marked."}})
        self._out.write(len(message).to_bytes(8, "big") + message)
        self._out.flush()

    def receive(self, on_number=None):
        length = self._in.read(8)
        return coding.loads(self._in.read(int.from_bytes(length, "big")), on_number) if len(length) == 8 else None


def _run(shell, source: str) -> dict:
    """A cell, as Jupyter runs it: what it printed, displayed and raised."""
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        result = shell.run_cell(source, store_history=False)
    done = {"stdout": captured.stdout[:MOST], "stderr": captured.stderr[:MOST], "displayed": [], "error": None}
    for output in captured.outputs:
        data = {kind: text for kind, text in output.data.items() if isinstance(text, str)}
        if data and sum(map(len, data.values())) < 10**6:
            done["displayed"].append(data)
    if error := result.error_before_exec or result.error_in_exec:
        lines = [line for frame in _frames(error) for line in frame.splitlines()]
        done["error"] = {"name": type(error).__name__, "value": str(error)[:1000], "lines": lines[-40:]}
    return done


def _frames(error: BaseException) -> list[str]:
    try:
        return traceback.format_exception(error, limit=-4)
    except Exception:  # noqa: BLE001 - an exception of their own may break even this
        return [type(error).__name__]


def _kind(names: dict, name: str) -> str:
    if name in names:
        return "function" if callable(names[name]) else "value"
    return "builtin" if hasattr(builtins, name) else "missing"


def _call(grading, names: dict, channel: _Channel, request: dict) -> dict:
    """One call, or many, of a function by its name. Generators come back in the state that the calls left them in."""

    def on_number(number, name):
        def asked(*arguments):
            channel.send({"ask": number, "arguments": list(arguments)})
            answer = channel.receive()
            if "raise" in answer:
                raise getattr(builtins, answer["raise"], RuntimeError)(answer["message"])
            return answer["value"]

        asked.__name__ = name
        return asked

    arguments = coding.loads(request["arguments"].encode(), on_number)
    function, times, seconds = names.get(request["name"]), request["times"], request["seconds"]
    try:
        if not callable(function):
            value = function
        elif times is None:
            value = grading.called(function, arguments, seconds)
        else:
            value = grading.called_often(function, arguments, times, seconds)
    except grading.NotYet as sentence:
        return {"not yet": str(sentence)}
    return {"value": value, "generators": [a for a in arguments if hasattr(a, "bit_generator")]}


if __name__ == "__main__":
    main()
