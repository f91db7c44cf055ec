"""The perturbed leaders without drawing every θ: same law as the readable kernels, chosen by `method="fast"`."""
