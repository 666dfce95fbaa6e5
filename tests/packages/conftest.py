"""These packages are for processes of their own: to import one here would register its game."""

collect_ignore_glob = ["*"]
