"""What is played with solved rounds of Love Letter: best responses to strategies, and rounds that
many processes solve."""
