"""Rules of the strategies that play Love Letter, compiled."""
