"""A submission's process, seen from the marking side: run a cell, and call its functions as if they were here.

with Student(hidden=[course]) as student:
    student.run(source)                     # a cell; gives its outputs
    names = student.names(["noisy_counts"]) # {"noisy_counts": Remote}
    grading.answer(names["noisy_counts"], [3, 5], 1.0, rng, shape=(2,))
"""

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import psutil

from dpbandits.checks.grading import NotYet
from dpbandits.course import coding

CELL_SECONDS = 30.0  # of computing, for one cell
PATIENCE = 600.0  # seconds by the clock, for what computes nothing (a cell that sleeps, or waits for a key)
GRACE = 3.0  # seconds of computing beyond a limit before the process is ended
KEPT = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "SYSTEMROOT",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DPBANDITS_CACHE",
    "PYTHONPATH",
)


class Gone(Exception):
    """The process ended, or had to be ended; the text is a sentence for the student."""


class Student:
    """The process, started anew where it ended: then the cells that ran well are run again."""

    def __init__(self, hidden: Sequence[Path] = ()):
        self.hidden, self._ran, self.confined = [str(Path(h).resolve()) for h in hidden], [], False
        self._folder = tempfile.TemporaryDirectory(prefix="submission-", ignore_cleanup_errors=True)
        self._process = None

    def __enter__(self) -> "Student":
        return self

    def __exit__(self, *_) -> None:
        self._end()
        self._folder.cleanup()

    def run(self, source: str, again: bool = True) -> dict:
        """A cell: {"stdout", "stderr", "displayed", "error"}, where error is None or {"name", "value", "lines"}.

        again: whether it is run once more where the process has to be started anew.
        """
        try:
            done = self._do({"do": "cell", "source": source}, CELL_SECONDS, interrupt=True)
        except Gone as sentence:
            return {
                "stdout": "",
                "stderr": "",
                "displayed": [],
                "error": {"name": "Stopped", "value": str(sentence), "lines": []},
            }
        if again:
            self._ran.append(source)
        return done

    def names(self, wanted: Sequence[str]) -> dict:
        """Those of the names that the submission has defined: a function as a Remote, anything else as its value."""
        if not wanted:
            return {}
        kinds = self._do({"do": "kinds", "names": list(wanted)}, CELL_SECONDS)
        functions = {name: Remote(self, name) for name, kind in kinds.items() if kind == "function"}
        return functions | {name: Remote(self, name).ask((), 5.0) for name, kind in kinds.items() if kind == "value"}

    def modules(self) -> list[str]:
        """Modules of dpbandits that the submission imported, beyond those that its visible tests need."""
        return self._do({"do": "modules"}, CELL_SECONDS)

    def call(self, name: str, arguments: Sequence, seconds: float, times: int | None):
        """What the function returns, once or `times` times. NotYet where it fails; generators move on as theirs did."""
        functions: list[Callable] = []

        def number(function):
            functions.append(function)
            return len(functions) - 1

        def asked(which: int, given: list):
            try:
                return {"value": functions[which](*given)}
            except NotYet:
                raise
            except Exception as error:  # noqa: BLE001 - goes back to the student's function, as if it were called there
                return {"raise": type(error).__name__, "message": str(error)}

        packed = coding.dumps(list(arguments), number).decode()
        request = {"do": "call", "name": name, "arguments": packed, "seconds": seconds, "times": times}
        try:
            done = self._do(request, seconds, asked=asked)
        except Gone as sentence:
            raise NotYet(f"{name}: {sentence}") from None
        except NotYet:  # said by one of our functions, in the middle of the call
            self._end()
            raise
        if "not yet" in done:
            raise NotYet(str(done["not yet"])[:1000])
        generators = [a for a in arguments if isinstance(a, np.random.Generator)]
        for ours, theirs in zip(generators, done["generators"], strict=False):
            ours.bit_generator.state = theirs.bit_generator.state
        return done["value"]

    def _do(self, request: dict, seconds: float, *, interrupt: bool = False, asked=None):
        """Send, and wait for what is done: for `seconds` of computing, and PATIENCE by the clock."""
        self._start()
        before, late = self._computed(), time.monotonic() + PATIENCE + 10 * seconds
        self._send(request)
        interrupted = False
        while True:
            try:
                message = self._inbox.get(timeout=0.2)
            except queue.Empty:
                used, over = self._computed() - before, time.monotonic() > late
                if interrupt and not interrupted and (used > seconds or over):
                    self._process.send_signal(signal.SIGINT if os.name != "nt" else signal.CTRL_C_EVENT)
                    interrupted, seconds, late = True, seconds + GRACE, time.monotonic() + 60
                elif used > seconds + GRACE or over:
                    self._end()
                    raise Gone(
                        f"did not end within {seconds:g} s of computing, and could not be interrupted: is there"
                        f" an endless loop?"
                    ) from None
                continue
            if message is None:
                self._end()
                raise Gone("ended the whole program, or took more memory than there is.")
            if not isinstance(message, dict):
                self._end()
                raise Gone("sent something that cannot be read.")
            if "ask" in message and asked is not None:
                self._send(asked(message["ask"], message["arguments"]))
            elif "done" in message:
                done = message["done"]
                if interrupted and request["do"] == "cell" and not done["error"]:
                    done["error"] = {"name": "Stopped", "value": "the cell took too long.", "lines": []}
                return done

    def _start(self) -> None:
        if self._process is not None:
            return
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {
            "HOME": self._folder.name,
            "TMPDIR": self._folder.name,
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        }
        environment |= {
            "PYTHONUTF8": "1",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "IPYTHONDIR": self._folder.name,
        }
        command = [sys.executable, "-c", _COMMAND, str(_PACKAGE.parent), self._folder.name, *self.hidden]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=self._folder.name,
            start_new_session=os.name != "nt",
        )
        self._inbox = queue.Queue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._inbox), daemon=True).start()
        message = self._inbox.get(timeout=PATIENCE)
        if message is None:
            raise OSError("the process for a submission did not start: does `python -m dpbandits.course.student` work?")
        self.confined = message["done"]["confined"]
        again, self._ran = self._ran, []
        for source in again:
            self.run(source)

    def _send(self, value) -> None:
        message = coding.dumps(value)
        try:
            self._process.stdin.write(len(message).to_bytes(8, "big") + message)
            self._process.stdin.flush()
        except OSError:  # it is gone: the inbox says so
            pass

    def _computed(self) -> float:
        """Processor time of the process so far, in seconds."""
        try:
            times = psutil.Process(self._process.pid).cpu_times()
            return times.user + times.system
        except psutil.Error:
            return 0.0

    def _end(self) -> None:
        """End the process and whatever it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            children = psutil.Process(process.pid).children(recursive=True)
        except psutil.Error:
            children = []
        process.kill()
        for child in children:
            try:
                child.kill()
            except psutil.Error:
                pass
        process.wait()
        process.stdin.close()


class Remote:
    """A function that lives in a submission's process. `grading` asks it; a plain call works as well."""

    def __init__(self, student: Student, name: str):
        self._student, self.__name__ = student, name

    def ask(self, arguments: Sequence, seconds: float, times: int | None = None):
        """What it returns: once, or `times` times in a row. Raises NotYet."""
        return self._student.call(self.__name__, arguments, seconds, times)

    def __call__(self, *arguments):
        return self.ask(arguments, 3.0)


_PACKAGE = Path(__file__).resolve().parents[1]
#: The package is taken from where this one is, whichever other one the environment has.
_COMMAND = """\
import sys
sys.path.insert(0, sys.argv.pop(1))
import dpbandits
del sys.path[0]
from dpbandits.course.student import main
main()
"""


def _listen(stream, inbox: queue.Queue) -> None:
    """Messages as they come; None when there are no more, "" for one that cannot be read."""
    with stream:
        while len(length := stream.read(8)) == 8:
            size = int.from_bytes(length, "big")
            if size > coding.LARGEST:
                inbox.put("")
                break
            try:
                inbox.put(coding.loads(stream.read(size)))
            except Exception:  # noqa: BLE001 - whatever a submission sends
                inbox.put("")
        inbox.put(None)
