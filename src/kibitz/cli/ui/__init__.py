"""What commands share: the person at the terminal, tables, progress, questions."""
