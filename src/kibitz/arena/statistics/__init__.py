"""What the results of pairs show: scores with intervals, and when a comparison may stop."""
