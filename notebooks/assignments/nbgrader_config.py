"""nbgrader's settings for this course. `dpbandits course DIR` made this folder; README.md says what to do in it."""

import os
import re
import sys
import textwrap

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades


class HideHiddenTests(ClearHiddenTests):
    """In the feedback: of a test that failed the sentence that says why; hidden tests, and tracebacks that quote
    them, go.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        hidden = self.begin_test_delimeter in cell.source
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        for output in cell.get("outputs", []):
            if hidden and output.output_type == "error":
                sentence = re.sub(r"\x1b\[[\d;]*m", "", output.evalue)
                output.traceback = [textwrap.fill(f"{output.ename}: {sentence}", 100)]
        return cell, resources


c = get_config()  # noqa: F821 - nbgrader gives it

# nbgrader calls its helper `alembic` by name: found also where the environment was not activated.
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")

c.CourseDirectory.course_id = "dpbandits"

# A cell that runs for more than a minute is stopped, and costs the points of its question alone.
c.Execute.timeout = 60
c.Execute.store_widget_state = False

# A test cell that a student deleted comes back, like one that was edited.
c.OverwriteCells.add_missing_cells = True

# `nbgrader zip_collect PS1` takes NAME_PS1.ipynb, and PS1.ipynb in a folder or zip file called NAME.
c.FileNameCollectorPlugin.named_regexp = (
    r".*[/\\](?!extracted[/\\])(?P<student_id>[^/\\]+?)[_/\\](?P<file_id>PS\d+)[^/\\]*\.ipynb"
)

c.GenerateFeedback.preprocessors = [GetGrades, HideHiddenTests, CSSHTMLHeaderPreprocessor]
