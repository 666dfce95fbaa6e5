"""The study of search: the claims of a lecture, measured."""
