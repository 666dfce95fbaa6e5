"""One engine for every page: blocks that become Markdown and HTML, and how pictures are drawn."""
