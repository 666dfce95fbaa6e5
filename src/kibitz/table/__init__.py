"""One game being played: the table, matches, records, seeds, situations, the time limit."""
