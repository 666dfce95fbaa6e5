"""What decisions were worth, where they went wrong, and how much of a result was luck."""
