"""Players that are programs in any language, over lines of JSON: docs/bots.md."""
