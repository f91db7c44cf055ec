"""What adds noise: mechanisms, counters, perturbation laws, and how their losses compose."""
