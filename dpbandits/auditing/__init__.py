"""What a watcher of all T rounds learns: a ceiling that is proved, a floor that is counted, and the parameters in
between.

account(): the best ε that is proved for everything that is seen. audit(): an ε that is refuted by counting.
calibrate(): the parameters at which the ceiling is what one asks for. (The package is not called `audit`, which is
the function's name.)
"""
