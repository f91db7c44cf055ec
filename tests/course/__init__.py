"""Grading works, shown with nbgrader itself: grader.py runs it, wrong/ lists plausible wrong answers for each set."""
