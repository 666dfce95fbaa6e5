"""What strategies share: players around searches, models of opponents, beliefs, reasons, levels."""
