"""Two players' Love Letter, one round: an equilibrium over its public tree, with a certificate."""
