"""bench/report: the page in a browser, used by pointer and keyboard, printed, and on a phone.

Exit status 77 without Chromium (Debian's package chromium)."""

import re
import sys
import tempfile
import unittest

import browser
import made
from cases import H200, Case, records
from report import page

if not browser.program():
    print("not run: no Chromium was found (package chromium; CHROMIUM names another)")
    sys.exit(77)
# Ends an attribute, a script and a comment; changes the title if parsed as markup.
HOSTILE = '\'"--></script><img src=x onerror="document.title=1">{{7*7}}'


class InBrowser(unittest.TestCase):
    """Uses the page of one GPU's study: CUDA, HIP and Kokkos, with counters and samples."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        files = [H200 / f"{name}.jsonl.gz" for name in ("rungs", "evidence", "kokkos-evidence", "errata")]
        cls.page = page.write(records.read(files), folder.name)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.size(1440, 900)
        self.browser.told.clear()
        self.browser.open(self.page.as_uri())

    def run_script(self, script):
        return self.browser.run(script)

    def text(self, selector):
        return self.run_script(f"document.querySelector({selector!r})?.textContent")

    def test_nothing_is_written_to_the_console_whatever_is_opened(self):
        for selector, each in (("details", "one.open = true"), ("#bars th button", "one.click()"),
                               ("#pick select", "for (let at = 0; at < one.options.length; at += 1) "
                                                "{ one.selectedIndex = at; one.dispatchEvent(new Event('change')); }")):
            self.run_script(f"document.querySelectorAll({selector!r}).forEach(one => {{ {each} }})")
        self.assertEqual(self.browser.told, [])

    def test_the_first_screen_is_whole(self):
        self.assertNotIn("wrong, failed or unfinished", self.text("#glance"), "errata are wrong on purpose")
        bottom = self.run_script("document.querySelector('#glance').getBoundingClientRect().bottom")
        self.assertLessEqual(bottom, 900)
        self.assertLessEqual(self.run_script("document.scrollingElement.scrollWidth"), 1440)

    def test_other_machines_are_a_tab_away(self):
        """Two GPUs of the same name are two machines."""
        self.assertEqual(self.run_script("[...document.querySelectorAll('.tabs button')].map(one => one.textContent)"),
                         ["NVIDIA H200", "NVIDIA H200 #2"])
        seen = "[...document.querySelectorAll('.card')].filter(one => one.offsetParent).map(one => one.id)"
        self.assertEqual(self.run_script(seen), ["machine-nvidia_h200"])
        self.run_script("document.querySelectorAll('.tabs button')[1].click()")
        self.assertEqual(self.run_script(seen), ["machine-nvidia_h200__2"])
        folded = "[...document.querySelectorAll('.tabs details button')].map(one => one.textContent)"
        self.assertEqual(self.run_script(folded), ["NVIDIA H200 #2"], "it has records of errata alone")
        heads = "[...document.querySelectorAll('#glance-table th')].map(one => one.textContent)"
        self.assertEqual(self.run_script(heads), ["model", "NVIDIA H200", "AMD GPU"])

    def test_a_rung_opens_beside_the_list_with_its_drawing(self):
        self.run_script("[...document.querySelectorAll('#bars th button')].find(one => /^r04/.test(one.textContent)).click()")
        self.assertTrue(self.run_script("(async () => { const drawing = document.querySelector('#rung img');"
                                        " await drawing.decode(); return drawing.naturalWidth > 100; })()"))
        boxes = "['#bars', '#rung'].map(name => document.querySelector(name).getBoundingClientRect())"
        self.assertTrue(self.run_script(f"(([list, rung]) => rung.left >= list.right && rung.top < list.bottom)({boxes})"))
        self.browser.size(390, 844)
        self.assertTrue(self.run_script(f"(([list, rung]) => rung.top >= list.bottom && rung.right <= 390)({boxes})"))

    def test_the_keyboard_stays_where_it_was_and_escape_closes_a_rung(self):
        here = "document.activeElement.name || document.activeElement.textContent"
        self.run_script("(() => { const one = document.querySelector('#pick select[name=elements]'); one.focus();"
                        " one.selectedIndex = 1; one.dispatchEvent(new Event('change')); })()")
        self.assertEqual(self.run_script(here), "elements")
        self.run_script("(() => { const one = document.querySelectorAll('#bars th button')[3]; one.focus(); one.click(); })()")
        name = self.run_script(here)
        self.assertTrue(self.run_script("!byId('rung').hidden"))
        self.browser.press("Escape", 27)
        self.assertTrue(self.run_script("byId('rung').hidden"))
        self.assertEqual(self.run_script(here), name)

    def test_rungs_near_their_base_are_folded_until_they_are_asked_for(self):
        hidden = "[...document.querySelectorAll('article:not([hidden]) tr.small')].filter(one => !one.offsetParent).length"
        self.assertGreater(self.run_script(hidden), 0)
        self.run_script("document.querySelector('article:not([hidden]) .fold input').click()")
        self.assertEqual(self.run_script(hidden), 0)

    def test_the_chart_over_sizes_has_the_steps_that_tell_the_ladder_the_ceiling_and_the_rung_that_is_open(self):
        shown = "[...document.querySelectorAll('#sizes-chart svg .role-legend-label text')].map(one => one.textContent)"
        lines = set(self.run_script(shown))
        self.assertLessEqual({"cuda r30", "cuda cub", "read ceiling"}, lines)
        self.run_script("openRung('r10_complete_unroll'); new Promise(done => setTimeout(done, 500))")
        self.assertEqual(set(self.run_script(shown)) - lines, {"cuda r10", "hip r10", "kokkos/cuda r10"})

    def test_a_point_of_a_chart_leads_to_its_record(self):
        point = "[...document.querySelectorAll('#sizes-chart .mark-symbol.role-mark path')].find(one => one.__data__.datum.from)"
        self.run_script("document.querySelector('#sizes-chart').scrollIntoView()")
        place = self.run_script(f"(({{x, y, width, height}}) => ({{x: x + width / 2, y: y + height / 2}}))"
                                f"(({point}).getBoundingClientRect())")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)
        self.assertRegex(self.text("#from"), r"GB/s comes from .*\.jsonl\.gz line \d+")

    def test_a_telephone_shows_it_without_scrolling_sideways(self):
        self.browser.size(390, 844)
        self.browser.open(self.page.as_uri())
        for apart in ("normal", ".15em"):  # the width of letters depends on the installed fonts
            self.run_script(f"document.body.style.letterSpacing = '{apart}'")
            self.assertLessEqual(self.run_script("document.scrollingElement.scrollWidth"), 390, apart)
        small = self.run_script("Math.min(...[...document.querySelectorAll('#glance td, #glance th, #glance li')]"
                                ".map(one => parseFloat(getComputedStyle(one).fontSize)))")
        self.assertGreaterEqual(small, 11)

    def test_the_keyboard_leads_to_the_record_of_a_number(self):
        for _ in range(40):
            self.browser.press("Tab", 9)
            if self.run_script("document.activeElement.dataset.from !== undefined"):
                break
        first = self.text("#from")
        self.assertRegex(first, r"comes from .*\.jsonl\.gz line \d+")
        self.browser.press("ArrowDown", 40)
        self.assertRegex(self.text("#from"), r"comes from .*\.jsonl\.gz line \d+")
        self.assertNotEqual(self.text("#from"), first)

    def test_a_number_tells_time_bandwidth_and_tuning_under_the_pointer(self):
        self.assertRegex(self.run_script("document.querySelector('#bars td[title]').title"),
                         r"^.* ms, block 256$")

    def test_the_filters_own_example_finds_something_and_nonsense_is_said_to_find_nothing(self):
        example = self.run_script("wanted.placeholder")
        search = "(() => {{ wanted.value = {!r}; wanted.dispatchEvent(new Event('input')); return count.textContent; }})()"
        self.assertRegex(self.run_script(search.format(example)), r"^[1-9]\d* rows of \d+ tables$")
        self.assertIn("Nothing found", self.run_script(search.format("no such thing")))
        self.assertEqual(self.run_script("document.querySelectorAll('#listed details').length"), 0)

    def test_the_picker_shows_what_is_picked_and_its_address_brings_it_back(self):
        self.run_script("(() => { const one = document.querySelector('#pick select[name=elements]'); one.selectedIndex = 0;"
                        " one.dispatchEvent(new Event('change')); document.querySelector('#bars th button').click(); })()")
        shown, rung, hash_now = self.text("#bars caption"), self.text("#rung h3"), self.run_script("location.hash")
        self.assertIn("kernel scope", shown)
        self.assertTrue(rung)
        self.browser.open("about:blank")
        self.browser.open(self.page.as_uri() + hash_now)
        self.assertEqual((self.text("#bars caption"), self.text("#rung h3")), (shown, rung))

    def test_where_the_data_cannot_be_unpacked_it_is_said(self):
        text = self.page.read_text()
        cut = self.page.with_name("cut.html")
        cut.write_text(re.sub(r'(id="data">[^<]{100})[^<]*', r"\1", text))
        self.browser.open(cut.as_uri())
        self.assertIn("The tables cannot be shown", self.text("#from"))

    def test_every_table_has_an_address(self):
        for name in self.run_script("data.tables.map(table => table.id)")[::20]:
            self.browser.open("about:blank")
            self.browser.open(f"{self.page.as_uri()}#table={name}")
            rows = self.run_script(f"document.getElementById({name + '-table'!r})?.querySelectorAll('tbody tr').length")
            self.assertTrue(rows, name)

    def test_a_rung_opens_with_its_change_its_samples_and_the_other_models(self):
        self.run_script("openRung('r10_complete_unroll')")
        self.assertGreater(self.run_script("document.querySelectorAll('#rung ins').length"), 5)
        self.assertEqual(self.run_script("document.querySelectorAll('#rung .sides > div').length"), 6)  # three diffs, three sides
        self.assertGreater(self.run_script("document.querySelectorAll('#rung mark').length"), 5)
        self.assertIn("cycles in which a scheduler issues", self.text("#rung"))
        marks = self.run_script("new Promise(done => setTimeout(done, 500)).then("
                                "() => document.querySelectorAll('#rung figure svg .mark-rect.role-mark path').length)")
        self.assertEqual(marks, 3 * 5 * 2, "three models, five processes each: the middle half, and the median")

    def test_a_machines_study_fits_on_twenty_printed_pages(self):
        pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", self.browser.printed()))
        self.assertGreater(pages, 0)
        self.assertLessEqual(pages, 20)


class Hostile(Case):
    def test_what_records_say_is_shown_and_never_run(self):
        """Appends markup to each text of the records that is not a key."""
        kept = {"kind", "run", "id", "rung", "backend", "backends", "type", "op", "scope", "cache", "data", "space", "axes"}

        def marked(value):
            if isinstance(value, dict):
                return {name: one if name in kept else marked(one) for name, one in value.items()}
            return [marked(one) for one in value] if isinstance(value, list) else (
                value + HOSTILE if isinstance(value, str) else value)

        path = page.write(self.read([marked(line) for line in made.records()]), self.folder / "out")
        one = browser.Browser()
        self.addCleanup(one.close)
        one.open(path.as_uri())
        self.assertEqual(one.run("document.title"), "Reduction Ladder")
        self.assertIn("onerror", one.run("document.querySelector('#glance').textContent"))
        one.run("document.querySelectorAll('#bars th button').forEach(button => button.click())")
        one.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        self.assertEqual(one.run("document.querySelectorAll('img:not(.pattern)').length"), 0)
        self.assertEqual(one.told, [])
