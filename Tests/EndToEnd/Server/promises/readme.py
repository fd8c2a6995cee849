"""README's code, as a newcomer pastes it: each block is read by its own language's parser."""
import ast
import json
import re
import shutil

from harness.promises import Group, equal, holds
from harness.tools import run
from harness.world import CHECKOUT, shop

group = Group("README")
PATIENCE = 60


def blocks(language):
    """The blocks of one language, by the line of README on which they begin."""
    text = (CHECKOUT / "README.md").read_text()
    found = re.finditer(rf"^( *)```{language}\n(.*?)^ *```$", text, re.S | re.M)
    named = {text.count("\n", 0, one.start(2)) + 1: one[2] for one in found}
    holds(named, f"README has no block of {language}")
    return named


@group.promise("every Swift block is parsed by the compiler without an error or a warning")
def _():
    compiler = shutil.which("swiftc")
    holds(compiler, "there is no swiftc")
    folder = shop().folder / "readme"
    folder.mkdir()
    for line, text in blocks("swift").items():
        file = folder / f"README-line-{line}.swift"
        file.write_text(text)
        parsed = run(compiler, "-frontend", "-parse", "-swift-version", "6", file, patience=PATIENCE)
        equal((parsed.status, parsed.text), (0, ""), f"README.md:{line}")


@group.promise("every JSON block is JSON, or members of an object")
def _():
    for line, text in blocks("json").items():
        try:
            json.loads(text if text.lstrip().startswith("{") else "{" + text + "}")
        except ValueError as error:
            raise AssertionError(f"README.md:{line}: {error}") from error


@group.promise("every shell and Python block is parsed")
def _():
    for line, text in blocks("sh").items():
        equal(run("bash", "-n", stdin=text.encode()).text, "", f"README.md:{line}")
    for text in blocks("python").values():
        ast.parse(text)


@group.promise("every line of the contents leads to a heading, and every chapter is in it")
def _():
    text = re.sub(r"^```.*?^```$", "", (CHECKOUT / "README.md").read_text(), flags=re.S | re.M)
    headings = re.findall(r"^## (.+)$", text, re.M)
    linked = re.findall(r"\[([^\]]+)\]\(#([a-z0-9-]+)\)", text[:text.index("\n## ")])
    equal([name for name, _ in linked], headings)
    for name, anchor in linked:
        equal(anchor, re.sub(r"[^a-z0-9 -]", "", name.lower()).replace(" ", "-"))
