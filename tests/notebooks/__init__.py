"""The notebooks: rules for the files (rules.py), one command that executes them (execute.py), strict comparison."""
