#!/usr/bin/env python3
"""Builds README.md, docs/ and what they link to as a site that fetches nothing from elsewhere.

    tools/site/build.py [--output build/site]

The pages are copied into a folder, adapted to MkDocs' Markdown, and built by it (requirements.txt, mkdocs.yml). Exit status 1
if a link is broken. Links to source files lead to text copies of them; links to folders become plain text.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FENCE = re.compile(r"^(```.*?^```$)", re.S | re.M)
LINK = re.compile(r"\[([^\]\n]*(?:\n[^\]\n]*)?)\]\((?!https?:|#)([^)\s]+)\)")
LIST_IN_TEXT = re.compile(r"^(?![-|>#<\s]|\* |\d+\. )(.+)\n(?=(?:- |\d+\. |\| ))", re.M)  # list or table inside text


def pages():
    single = (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    return [*single, *(ROOT / "examples").glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


def as_site(text, page):
    """(the page for MkDocs, the files other than pages that it links to)."""
    files = set()

    def link(match):
        name, _, anchor = match[2].partition("#")
        target = (page.parent / name).resolve()
        if target.is_dir():
            return match[1]  # nothing to show
        if target.is_file() and target.suffix != ".md":
            files.add(target)
            return f"[{match[1]}]({name}{shown_as(target)})"
        return match[0]

    parts = FENCE.split(text)
    for at in range(0, len(parts), 2):  # outside of code
        parts[at] = LIST_IN_TEXT.sub(r"\1\n\n", LINK.sub(link, parts[at]))
    return "".join(parts), files


def shown_as(path):
    """Suffix of a file's name that makes browsers show it."""
    return "" if path.suffix in (".svg", ".png", ".txt", ".gz", ".csv") else ".txt"


def stage(folder):
    """Copies the site's sources; returns the pages in the order of navigation."""
    for page in pages():
        text, files = as_site(page.read_text(), page)
        for file in (page, *files):
            (folder / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        (folder / page.relative_to(ROOT)).write_text(text)
        for file in files:
            shutil.copy(file, folder / f"{file.relative_to(ROOT)}{shown_as(file)}")
    shutil.copytree(ROOT / "docs" / "results" / "figures", folder / "docs" / "results" / "figures", dirs_exist_ok=True)
    # Lab notes are linked from the pages that they belong to, and are no pages of the navigation.
    known = [str(page.relative_to(ROOT)) for page in pages() if page.parent.name != "lab"]
    linked = [match[2].partition("#")[0] for match in LINK.finditer((ROOT / "README.md").read_text())]
    return list(dict.fromkeys(["README.md", *(name for name in linked if name in known), *known]))


def main(words=None):
    import yaml  # comes with MkDocs; staging the pages works without it

    parser = argparse.ArgumentParser(description="Builds the pages as a site.")
    parser.add_argument("--output", default=ROOT / "build" / "site", type=pathlib.Path, help="where the site goes (build/site)")
    output = parser.parse_args(words).output.resolve()
    work = output.with_name(output.name + ".pages")
    for folder in (output, work):
        shutil.rmtree(folder, ignore_errors=True)
    nav = stage(work / "docs")
    settings = yaml.safe_load((HERE / "mkdocs.yml").read_text())
    (work / "mkdocs.yml").write_text(yaml.safe_dump(settings | {"docs_dir": "docs", "site_dir": str(output), "nav": nav}))
    # No --quiet: it would hide warnings from --strict.
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", work / "mkdocs.yml"],
                          env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr, end="")
        return 1
    print(f"{output / 'index.html'}: {len(nav)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
