"""The classical searches, one short file each, for any game of the model, compiled or not.

They read like the lecture, count what they do and can record every step for a picture.
They are not fast: `kibitz.search.fast` is, and is tested against these.
"""
