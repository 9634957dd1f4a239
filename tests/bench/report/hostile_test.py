#!/usr/bin/env python3
"""bench/report: records that no program of ours wrote are set aside with a sentence, and never end in an exception.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import contextlib
import copy
import html.parser
import io
import random
import unittest

import made
from cases import Case, records

# isort: split
from report import __main__ as program
from report import compare

NO_NUMBERS = [-1e-3, 0, float("nan"), float("inf"), -float("inf"), "1e-3", True, [1e-3], {"s": 1}]


def first(lines, kind):
    return next(line for line in lines if line["kind"] == kind)


# Ends an attribute, a script and a comment, and runs something where it is taken for markup.
MARKUP = "'\"--></script><img src=x onerror=alert(1)>{{7*7}}"


class Tags(html.parser.HTMLParser):
    """The tags of a page that it must not have."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag == "img" or any(name.startswith("on") for name, _ in attributes):
            self.found.append((tag, attributes))


def marked_up(value):
    """The value, and each text in it, with markup behind it."""
    if isinstance(value, str):
        return value + MARKUP
    if isinstance(value, dict):
        return {name: marked_up(one) for name, one in value.items()}
    return [marked_up(one) for one in value] if isinstance(value, list) else value


class Hostile(Case):
    def texts(self, *lines):
        """What is told of these lines, once the report and the comparison have read them."""
        path = made.write(self.folder / "hostile.jsonl", lines)
        for main, words in ((program.main, [f"--output={self.folder / 'out'}", path]), (compare.main, [path, path])):
            self.said(main, *words)
        return [str(problem).replace(f"{path}:", "") for problem in records.read([path]).problems]

    def said(self, main, *words):
        """(exit status, what was printed)"""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                status = main([str(word) for word in words])
            except SystemExit as end:
                status = end.code
        return status, out.getvalue()

    def test_seconds_that_are_no_positive_number_are_set_aside(self):
        for value in [*NO_NUMBERS, None]:
            lines = made.records()
            place = lines.index(first(lines, "sample"))
            lines[place]["seconds"] = value
            if value is None:
                del lines[place]["seconds"]
            texts = self.texts(*lines)
            self.assertEqual(len(texts), 1, (value, texts))
            self.assertRegex(texts[0], f"^{place + 1}: a sample (without seconds|whose seconds is no positive number): left out$")
            study = self.read(lines)
            self.assertEqual(len(study.samples["r1", "cuda-r02"]), 4)

    def test_a_summary_with_such_numbers_gives_no_time(self):
        for name in ("median", "p5", "p95"):
            for value in NO_NUMBERS:
                lines = made.records()
                first(lines, "summary")[name] = value
                texts = self.texts(*lines)
                self.assertIn(f"a summary whose {name} is no positive number: left out", "\n".join(texts))
                self.assertEqual(list(self.read(lines).measurements["status"]), ["unfinished"] + ["right"] * 3)

    def test_packed_samples_are_checked_too(self):
        for value in ([1, -1], [1, float("nan")], ["1"], 1):
            packed = {"kind": "samples", "run": "r1", "id": "cuda-r02", "nanoseconds": value}
            self.assertEqual(self.texts(*made.records(), packed),
                             ["31: a line of samples whose nanoseconds is no list of positive numbers: left out"])

    def test_a_schema_that_is_none_or_not_known_is_left_out(self):
        for schema in (None, 99, 0, -1, "2", 2.0, True, [2]):
            lines = made.records()
            lines[0]["schema"] = schema
            told, = self.texts(*lines)
            self.assertRegex(told, "^1: run r1 (has no schema|is of schema .*, and this report knows 2): it is left out")
            self.assertTrue(self.read(lines).measurements.empty)

    def test_garbage_is_told_once_with_its_count_and_its_first_line(self):
        path = made.write(self.folder / "garbage.jsonl", made.records())
        path.write_text(path.read_text() + "garbage\n" * 500)
        told, = records.read([path]).problems
        self.assertEqual((told.line, told.text), (31, "is cut short or is no record (and 499 more lines like it)"))

    def test_what_is_nested_too_deeply_is_no_record(self):
        path = made.write(self.folder / "deep.jsonl", made.records())
        for deep in ("[" * 200_000, '{"kind":' * 200_000, "9" * 10_000):
            path.write_text(path.read_text() + deep + "\n")
        problems = records.read([path]).problems
        self.assertEqual([problem.line for problem in problems], [31])
        self.assertIn("is no record", problems[0].text)

    def test_any_field_of_any_record_may_be_of_any_form(self):
        """Each field of each kind in turn, of forms that it does not have: at most problems, and no exception."""
        lines = [*made.processes(*[{("cuda", "r02"): 4e-3, ("hip", "r02"): 5e-3}] * 2),
                 {"kind": "samples", "run": "p1", "id": "cuda-r02", "nanoseconds": [4], "results": {"1": 1}},
                 {"kind": "floor", "run": "p1", "space": "cuda:0", "what": "launch", "count": 21, "median": 1e-6}]
        strange = random.Random(1)
        for kind in dict.fromkeys(line["kind"] for line in lines):
            for name in first(lines, kind):
                for value in ([[]], {"a": []}, "text", -3, float("nan"), 10 ** 400, None):
                    changed = copy.deepcopy(lines)
                    strange.choice([line for line in changed if line["kind"] == kind])[name] = value
                    with self.subTest(kind=kind, name=name, value=str(value)[:20]):
                        self.assertEqual(len(self.read(changed).files), 1)

    def test_names_in_records_are_text_on_the_page(self):
        # What records are found by stays as it is.
        kept = {"kind", "run", "id", "rung", "backend", "type", "op", "scope", "cache", "data", "schema", "space"}
        shown = 0
        texts = {name for line in made.records() for name, value in line.items() if marked_up(value) != value}
        self.assertGreater(len(texts - kept), 8)
        names = sorted(texts - kept)
        for some in (names[i:i + 3] for i in range(0, len(names), 3)):
            lines = made.records()
            for line in lines:
                if line["kind"] != "sample":
                    line |= {name: marked_up(line[name]) for name in some if name in line}
                for device in line.get("devices", []):
                    device |= {"backends": ["cuda", "hip"], "space": "cuda:0"}
            page = self.page_of(lines)
            self.assertEqual(Tags(page).found, [], some)
            shown += "onerror" in page
        self.assertGreater(shown, 1, "some of it is on the page")

    def test_names_that_identify_are_text_on_the_page(self):
        for name in ("run", "rung", "backend", "type"):
            lines = made.records()
            for line in lines:
                if isinstance(line.get(name), str):
                    line[name] += MARKUP
                for device in line.get("devices", []):
                    if name == "backend":
                        device["backends"] = marked_up(device["backends"])
            self.assertEqual(Tags(self.page_of(lines)).found, [], name)

    def page_of(self, lines):
        path = made.write(self.folder / "marked.jsonl", lines)
        status, said = self.said(program.main, f"--output={self.folder / 'page'}", path)
        self.assertIn(status, (0, 1, 2), said)
        page = self.folder / "page" / "index.html"
        return page.read_text() if page.is_file() else ""

    def test_a_threshold_that_is_no_percentage_is_refused(self):
        path = made.write(self.folder / "a.jsonl", made.records())
        for text in ("nan", "inf", "-1"):
            status, said = self.said(compare.main, f"--threshold={text}", path, path)
            self.assertEqual((status, "it is a percentage, 0 or more" in said), (2, True), text)

    def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(self):
        path = made.write(self.folder / "a.jsonl", made.records())
        (self.folder / "file").write_text("")
        for output in ("/proc/x", self.folder / "file" / "x"):
            status, said = self.said(program.main, f"--output={output}", path)
            self.assertEqual(status, 2)
            self.assertRegex(said, f"^report: --output={output}: cannot be written: .+\n$")


if __name__ == "__main__":
    unittest.main()
