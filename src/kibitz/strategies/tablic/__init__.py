"""Rules of the strategies that play Tablić, compiled."""
