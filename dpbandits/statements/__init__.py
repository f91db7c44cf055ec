"""The ledger: every statement of the five papers, with evidence that runs and a verdict that is derived from it."""

from dpbandits.statements.record import KINDS, VERDICTS, Finding, Ledger, Statement, examine, summary

__all__ = ["KINDS", "VERDICTS", "Finding", "Ledger", "Statement", "examine", "summary"]
