"""A page as an HTML parser sees it."""
import html.parser


class Markup(html.parser.HTMLParser):
    """Its elements in order, and its scripts with their text."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.open = [], [], False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(sorted(attrs))))
        self.open = tag == "script"
        if self.open:
            self.scripts.append([dict(attrs), ""])

    def handle_endtag(self, tag):
        self.open = False

    def handle_data(self, data):
        if self.open:
            self.scripts[-1][1] += data
