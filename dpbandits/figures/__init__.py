"""plotly figures from labelled results."""
