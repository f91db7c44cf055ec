"""The page that a student gets: points, comments, and for each check that failed the sentence that says why.

It reads without the internet and without scripts: formulas are MathML, styles are inside. Of the tests it shows what
the student was given, and no more.
"""

import html
import re
import textwrap

from nbconvert.exporters import HTMLExporter
from nbgrader.preprocessors import ClearHiddenTests
from traitlets import Unicode

from dpbandits.course.rebuild import kind
from dpbandits.formulas import formulas

STYLE = """\
<style>
summary { display: list-item; cursor: pointer; }
details { margin: 0.3em 0; }
.anchor-link { display: none; }
@media print { details > * { display: none; } details > summary { display: list-item; } }
</style>
"""


class Sentences(ClearHiddenTests):
    """Hidden tests go; of what failed the sentence stays. A formula becomes MathML."""

    def preprocess_cell(self, cell, resources, cell_index):
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if cell.cell_type == "markdown":
            cell.source = formulas(cell.source)
        for output in cell.get("outputs", []):
            if kind(cell) == "test" and output.output_type == "error":
                sentence = re.sub(r"\x1b\[[\d;]*m", "", output.evalue)
                output.traceback = [textwrap.fill(f"{output.ename}: {sentence}", 100)]
        return cell, resources


class Page(HTMLExporter):
    """nbgrader's page, in a named language, with fold marks that show, and without anything from elsewhere."""

    language = Unicode("en", help="of the page, for screen readers and translators").tag(config=True)
    template_name = "feedback"

    def from_notebook_node(self, nb, resources=None, **options):
        page, resources = super().from_notebook_node(nb, resources, **options)
        page = re.sub(
            r"<script\b.*?</script>", "", page, flags=re.DOTALL
        )  # MathJax and its settings; no other does anything here
        page = page.replace("<html>", f'<html lang="{html.escape(self.language)}">', 1).replace(
            "</head>", STYLE + "</head>", 1
        )
        return page, resources
