"""The study of Tablić: chapter 4 of the thesis, and what it left out."""
