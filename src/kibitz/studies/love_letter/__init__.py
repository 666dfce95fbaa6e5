"""The study of Love Letter: chapter 5 of the thesis, whose headings were left empty."""
