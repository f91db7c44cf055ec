"""A submission put back into the shape of its set: every cell once and in order, the tests as written, nothing lost.

    notebook, notes = rebuild(submission, release, tests)

Students copy cells, delete them, move them, write answers into new ones, and open files in programs that drop what
nbgrader noted. A cell is known by its grade_id, else by its cell id, else by the function that it defines.
"""

import ast
import copy
import re

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

WAITING = "raise NotImplementedError"


def kind(cell) -> str:
    """What a cell is for nbgrader: answer, test, written, locked, or "" for plain text and a student's own cells."""
    mark = cell.metadata.get("nbgrader")
    if not isinstance(mark, dict) or "grade" not in mark:
        return ""
    pair = bool(mark["grade"]), bool(mark.get("solution"))
    return {(True, True): "written", (True, False): "test", (False, True): "answer", (False, False): "locked"}[pair]


def rebuild(
    submission: nbformat.NotebookNode, release: nbformat.NotebookNode, tests: dict[str, str]
) -> tuple[nbformat.NotebookNode, list[str]]:
    """The notebook to mark, and sentences on what was put right.

    release: what students were given. tests: the sources of locked cells, by grade_id, hidden tests included.
    """
    known = {cell.id: cell for cell in release.cells}
    found: dict[str, list] = {name: [] for name in known}
    extra: dict[str | None, list] = {}
    place = None
    for cell in submission.cells:
        name = _name(cell, known)
        if name is None or (not kind(known[name]) and _text(cell) != _text(known[name])):
            if _text(cell).strip():
                extra.setdefault(place if name is None else name, []).append(cell)
        else:
            found[name].append(cell)
        place = name or place
    notes: list[str] = []
    made = nbformat.v4.new_notebook(metadata=copy.deepcopy(release.metadata))
    made.cells += [_plain(cell) for cell in extra.pop(None, [])]
    for name, original in known.items():
        before, cell = _chosen(copy.deepcopy(original), found[name], extra, notes)
        if name in tests:
            cell.source = tests[name]
        made.cells += [*before, cell, *(_plain(own) for own in extra.get(name, []))]
    _number(made)
    return made, notes


def _name(cell, known: dict) -> str | None:
    """Which cell of the set this is."""
    mark = cell.metadata.get("nbgrader")
    for name in (mark.get("grade_id") if isinstance(mark, dict) else None, cell.get("id")):
        if name in known:
            return name
    return None


def _chosen(cell, copies: list, extra: dict, notes: list[str]) -> tuple[list, nbformat.NotebookNode]:
    """The cell as it will be marked, with the copies that come before it."""
    what, name = kind(cell), cell.id
    if what == "answer":
        return _answer(cell, copies, extra, notes)
    if what == "written":
        texts = [_text(c).strip() for c in copies if _text(c).strip() not in ("", _text(cell).strip())]
        if not texts:
            own = [c for cells in extra.values() for c in cells if c.cell_type != "code"]
            texts = [_text(c).strip() for c in own]
            for cells in extra.values():
                cells[:] = [c for c in cells if c.cell_type == "code"]
            if texts:
                notes.append(f"{name}: the written answer stood in {_cells(len(texts), 'new')}.")
        elif len(texts) > 1:
            notes.append(f"{name}: the written answer stood in {_cells(len(texts), 'copied')}.")
        if texts:
            cell.source = "\n\n".join(dict.fromkeys(texts))
    elif what and not copies:
        notes.append(f"{name}: the cell was missing.")
    elif what and len(copies) > 1:
        notes.append(f"{name}: the cell stood there {len(copies)} times.")
    return [], cell


def _answer(cell, copies: list, extra: dict, notes: list[str]):
    """The last copy that holds an answer; else a student's own cell that defines the function asked for."""
    name, functions = cell.id, re.findall(r"^def (\w+)", cell.source, re.MULTILINE)
    given = [c for c in copies if WAITING not in _text(c)]
    if not given:
        for cells in extra.values():
            for own in list(cells):
                if (
                    own.cell_type == "code"
                    and WAITING not in _text(own)
                    and set(functions) <= _defined(_text(own))
                    and functions
                ):
                    cells.remove(own)
                    given.append(own)
        if given:
            notes.append(f"{name}: the answer stood in {_cells(len(given), 'new')}.")
    if len(given) > 1:
        notes.append(f"{name}: {len(given)} cells hold an answer; the last one counts.")
    if given:
        cell.source = _text(given[-1])
        return [_plain(c) for c in given[:-1]], cell
    if not copies:
        notes.append(f"{name}: the cell was missing.")
    else:
        cell.source = _text(copies[-1])
    return [], cell


def _cells(number: int, which: str) -> str:
    return f"a {which} cell" if number == 1 else f"{number} {which} cells"


def _text(cell) -> str:
    return cell.source if isinstance(cell.source, str) else "".join(map(str, cell.source))


def _defined(source: str) -> set[str]:
    try:
        return {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    except SyntaxError:
        return set(re.findall(r"^def (\w+)", source, re.MULTILINE))


def _plain(cell):
    """A student's own cell, without marks."""
    return new_code_cell(_text(cell)) if cell.cell_type == "code" else new_markdown_cell(_text(cell))


def _number(notebook) -> None:
    """Ids of their own for cells that the set does not know."""
    for number, cell in enumerate(notebook.cells):
        if not kind(cell) and cell.id not in ("setup",):
            cell.id = cell.id if re.fullmatch(r"[\w-]{1,64}", cell.id) else f"own-{number}"
