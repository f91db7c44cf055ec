"""The papers' arguments, taken apart: one module per argument, one function per step, numbers out.

The companions of the chapters (02b and so on) show each step beside the sentence that claims it.
"""
