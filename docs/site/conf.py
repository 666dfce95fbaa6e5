"""How Sphinx makes the site: `make docs`.

The pages are the Markdown files of the project, laid out as in the project, so that a link works
on a code host and in the site alike. `pages.py` puts them together, with the reference.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import docstrings  # noqa: E402
import pages  # noqa: E402

from kibitz.version import __version__  # noqa: E402

project = "Kibitz"
author = "Kibitz contributors"
copyright = f"2026, {author}"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Kibitz {release}"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

myst_heading_anchors = 4  # links to headings, as code hosts make them
highlight_language = "none"

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "show-inheritance": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
add_module_names = False
toc_object_entries = False  # modules do: with every name the build takes twice as long
# A class of the face is in its module too: either may be linked to.
suppress_warnings = ["ref.python"]


def setup(app):
    try:
        pages.write(Path(app.srcdir))
    except pages.NotOurs as error:  # one line, where Sphinx would print several
        print(f"docs: {error}", file=sys.stderr)
        sys.exit(2)
    app.connect("autodoc-process-docstring", docstrings.to_restructured_text)
    app.connect("autodoc-skip-member", docstrings.skip_kernels)
