"""The strategies: who sits at the table. One file each."""
