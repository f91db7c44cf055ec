"""A pytest plugin for the inner run of nbval: what it does not compare.

Plots, their stored pictures and widgets carry random identifiers and change with every plotly release; the printed
numbers beside them are what is compared, strictly.
"""


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("image/png", "text/html", "application/vnd.plotly.v1+json", "stderr")
