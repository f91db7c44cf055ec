"""Mark one submission: its cells run in a process of their own, the tests here.

    marked = judge(notebook, hidden=[course])

`notebook` is what `rebuild` made of a submission: cells in the order of the set, tests as the teacher wrote them. Each
code cell gets its outputs; a test that fails has one output of type error, and that is what nbgrader counts.
"""

import builtins
import contextlib
import io
import symtable
import traceback
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat.v4 import new_output

from dpbandits.checks.grading import NotYet
from dpbandits.course.player import Gone, Student


def is_test(cell) -> bool:
    """A cell that grades itself: code, worth points, and not the student's."""
    mark = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and bool(mark.get("grade")) and not mark.get("solution")


def judge(notebook: nbformat.NotebookNode, hidden: Sequence[Path] = ()) -> list[str]:
    """Run it from top to bottom, in place. Gives the modules of dpbandits that the submission used beyond its tests."""
    with Student(hidden) as student:
        count = 0
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            count += 1
            cell.execution_count = count
            cell.outputs = run_test(cell.source, student) if is_test(cell) else _outputs(student.run(cell.source))
        try:
            return student.modules()
        except Gone:
            return []


def run_test(source: str, student: Student) -> list[nbformat.NotebookNode]:
    """The outputs of a test cell, run here against the functions of `student`."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            check(source, student.names(asked_for(source)))
    except Exception as error:  # noqa: BLE001 - the message of a failed test is the feedback
        return [*_stream("stdout", printed.getvalue()), _failure(error)]
    return _stream("stdout", printed.getvalue())


def check(source: str, names: dict) -> None:
    """Run the source of a test cell with these names in place of the student's. Raises what it raises."""
    exec(compile(source, "<test>", "exec"), dict(names, __name__="__main__"))  # noqa: S102 - the teacher's own code


def asked_for(source: str) -> list[str]:
    """Names that a test cell uses and does not define: the student's functions."""
    table = symtable.symtable(source, "<test>", "exec")
    used, defined = set(), set()

    def visit(scope, top):
        for symbol in scope.get_symbols():
            if top and (symbol.is_assigned() or symbol.is_imported()):
                defined.add(symbol.get_name())
            elif symbol.is_global() or top:
                used.add(symbol.get_name())
        for inner in scope.get_children():
            visit(inner, False)

    visit(table, True)
    return sorted(name for name in used - defined if not hasattr(builtins, name))


def _failure(error: Exception):
    """An error in one sentence, without the lines of the test."""
    name, sentence = type(error).__name__, str(error)
    if isinstance(error, NameError) and error.name:
        name, sentence = (
            "NotYet",
            f"{error.name} is not defined: the cell that should define it is missing, or it fails.",
        )
    elif not isinstance(error, (NotYet, AssertionError)):
        last = traceback.extract_tb(error.__traceback__)[-1]
        sentence = f"{sentence} (in {Path(last.filename).name}, line {last.lineno})"
    return new_output("error", ename=name, evalue=sentence, traceback=[f"{name}: {sentence}"])


def _outputs(done: dict) -> list[nbformat.NotebookNode]:
    found = [*_stream("stdout", done["stdout"]), *_stream("stderr", done["stderr"])]
    found += [new_output("display_data", data=data) for data in done["displayed"]]
    if error := done["error"]:
        lines = error["lines"] or [f"{error['name']}: {error['value']}"]
        found.append(new_output("error", ename=error["name"], evalue=error["value"], traceback=lines))
    return found


def _stream(name: str, text: str) -> list[nbformat.NotebookNode]:
    return [new_output("stream", name=name, text=text)] if text else []
