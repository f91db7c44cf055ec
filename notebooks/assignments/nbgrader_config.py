"""nbgrader's settings for this course. `dpbandits course DIR` made this folder; README.md says what to do in it."""

import logging
import os
import sys
import warnings
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader import preprocessors
from nbgrader.preprocessors import GetGrades

from dpbandits.course.feedback import Page, Sentences
from dpbandits.course.steps import Judge, Rebuild

c = get_config()  # noqa: F821 - nbgrader gives it
COURSE = str(Path(__file__).resolve().parent)

# nbgrader calls its helper `alembic` by name: found also where the environment was not activated.
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", "")

c.CourseDirectory.course_id = "dpbandits"

# A submission is put back into the shape of its set, then run in a process of its own; the tests run outside of it.
c.Rebuild.course = c.Judge.course = COURSE
c.Autograde.sanitize_preprocessors = [
    Rebuild,
    preprocessors.ClearOutput,
    preprocessors.OverwriteKernelspec,
    preprocessors.OverwriteCells,
    preprocessors.CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    Judge,
    preprocessors.LimitOutput,
    preprocessors.SaveAutoGrades,
    preprocessors.AssignLatePenalties,
    preprocessors.CheckCellMetadata,
]

# Late work keeps its points; "zero" takes them all. What is late is in the marks either way.
c.LateSubmissionPlugin.penalty_method = "none"

# The page for a student.
c.GenerateFeedback.exporter_class = Page
c.GenerateFeedback.preprocessors = [GetGrades, Sentences, CSSHTMLHeaderPreprocessor]
c.Page.language = "en"

# What alarms and means nothing here stays off the screen: notes of the database library, and of cells put back.
warnings.filterwarnings("ignore", module=r"(sqlalchemy|nbgrader|alembic)\b.*")
warnings.filterwarnings("ignore", category=DeprecationWarning)
QUIET = (
    "has changed! (should be",
    "exists multiple times",
    "Updating existing assignment",
    "Removing existing assignment",
)


class _Quiet(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        return not any(words in record.getMessage() for words in QUIET)


for name in ("traitlets", "NbGraderApp", "AutogradeApp", "GenerateFeedbackApp", "GenerateAssignmentApp", "NbGraderAPI"):
    logging.getLogger(name).addFilter(_Quiet())
logging.getLogger("alembic").setLevel(logging.ERROR)
