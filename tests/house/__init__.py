"""The house: README, environment, wheel, the direction of imports."""
