#!/usr/bin/env python3
"""Dependencies are pinned and listed, and are fetched by the build only.

If LADDER names the program, its undefined symbols are checked too."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPENDENCIES = (ROOT / "cmake" / "Dependencies.cmake").read_text()
LISTED = json.loads((ROOT / "ladder.spdx.json").read_text())["packages"]
LOCKS = {"bench/report/requirements.lock": "bench/report/requirements.txt", "tools/site/requirements.lock":
         "tools/site/requirements.txt", ".ci/python.lock": ".ci/python.txt", "tools/study/cmake.lock": "tools/study/cmake.txt",
         "tools/study/ninja.lock": "tools/study/ninja.txt"}
NETWORK = {"urllib", "http", "requests", "socket", "ftplib", "smtplib"}


def fetched():
    """{name: (version, first hash, address)} of each archive in cmake/Dependencies.cmake."""
    calls = re.findall(r"^ladder_library\(([^()]*)\)", DEPENDENCIES, re.M)
    found = (re.search(r"SOURCE (\S+) (\S+)\s+SHA256 ([0-9a-f]{64})\s(?:.*\s)?URLS\s+(\S+)", call, re.S) for call in calls)
    return {one[1]: (one[2], one[3], one[4]) for one in found if one}


def without_comments(path):
    return "\n".join(re.sub(r"(^|\s)#.*", "", line) for line in path.read_text().splitlines())


class Supply(unittest.TestCase):
    def test_every_archive_that_cmake_fetches_has_a_hash(self):
        for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").rglob("*.cmake")]:
            text = without_comments(path)
            for other in ("GIT_REPOSITORY", "ExternalProject", "CPMAddPackage", "git clone"):
                self.assertNotIn(other, text, path)
            if path.name != "Dependencies.cmake":
                for word in ("FetchContent_Declare", "file(DOWNLOAD"):
                    self.assertNotIn(word, text, path)
        self.assertEqual(len(re.findall(r"^ +SOURCE \w", DEPENDENCIES, re.M)), len(fetched()), "each line is understood")
        for name, (version, digest, address) in fetched().items():
            self.assertTrue(version and digest and address.startswith("https://"), name)

    def test_every_action_of_the_workflows_is_named_by_its_commit(self):
        for path in (ROOT / ".github/workflows").glob("*.yml"):
            actions = re.findall(r"\buses: *(.*)", path.read_text())
            self.assertTrue(actions, path)
            for action in actions:
                self.assertRegex(action, r"^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", path)

    def test_every_package_of_python_has_the_version_asked_for_and_hashes(self):
        for lock, source in LOCKS.items():
            text, wanted = (ROOT / lock).read_text(), (ROOT / source).read_text().lower()
            entries = [line for line in re.sub(r"\\\n", " ", text).splitlines() if line.strip() and not line.startswith("#")]
            self.assertTrue(entries, lock)
            for entry in entries:
                self.assertRegex(entry, r"^[\w.-]+==\S+ ( *; [^\\]*?)?( *--hash=sha256:[0-9a-f]{64})+$", lock)
            for name, version in re.findall(r"^([\w.-]+)(?:==([\w.]+))?", wanted, re.M):
                self.assertRegex(text.lower(), rf"(?m)^{re.escape(name)}=={re.escape(version) or '[^ ]+'} ", f"make {lock} anew")

    def test_pip_takes_nothing_without_a_hash(self):
        for path in [ROOT / "study", *(ROOT / "tools/study").glob("*.sh"), *(ROOT / ".ci").rglob("*.sh")]:
            text = re.sub(r"\\\n", " ", without_comments(path))
            for line in text.splitlines():
                if re.search(r"pip\b.* install |\[@\]}\" install ", line) and "apt-get" not in line:
                    self.assertIn("--require-hashes", line, path)
                if "need_python " in line:
                    self.assertRegex(line, r"need_python \S+\.(lock|txt)", path)
                for other in ("curl ", "wget ", "git clone"):
                    self.assertNotIn(other, line, path)

    def test_nothing_reaches_for_the_network_when_it_runs(self):
        files = [path for folder in ("bench", "tools") for path in (ROOT / folder).rglob("*.py")]
        self.assertGreater(len(files), 30)
        for path in files:
            for imported in re.findall(r"^\s*(?:import|from) ([\w.]+)", path.read_text(), re.M):
                self.assertNotIn(imported.split(".")[0], NETWORK, path)
        for path in (ROOT / "bench/report/front").iterdir():
            text = path.read_text().replace("http://www.w3.org/", "")
            for word in ("https:", "http:", "fetch(", "XMLHttpRequest", "WebSocket", "import("):
                self.assertNotIn(word, text, path)

    def test_the_program_knows_no_addresses(self):
        ladder = os.environ.get("LADDER")
        if not ladder or not pathlib.Path(ladder).is_file() or not shutil.which("nm"):
            self.skipTest("LADDER names no program, or nm is not there")
        wanted = subprocess.run(["nm", "-D", "--undefined-only", ladder], capture_output=True, text=True, check=True).stdout
        for word in ("getaddrinfo", "gethostbyname", "inet_pton", "curl_easy_init", "SSL_new"):
            self.assertNotRegex(wanted, rf"\b{word}\b")

    def test_the_list_of_what_is_shipped_has_each_archive_with_its_hash(self):
        listed = {one["name"]: (one["versionInfo"], one["checksums"][0]["checksumValue"], one["downloadLocation"])
                  for one in LISTED if "checksums" in one}
        self.assertEqual(listed, fetched())

    def test_the_list_names_each_library_that_the_build_links(self):
        listed = {one["name"].lower() for one in LISTED}
        others = {"GTest": "googletest", "hwy": "highway", "TBB": "onetbb", "Eigen3": "eigen"}
        needed = re.findall(r"^ladder_library\(\s*(\w+)", DEPENDENCIES, re.M)
        for name in [*(others.get(name, name) for name in needed), "hwloc", "libgomp", "Open MPI"]:
            self.assertIn(name.lower(), listed)

    def test_no_command_asks_for_root_by_itself(self):
        for path in [ROOT / "study", *(ROOT / "tools").rglob("*.sh")]:
            for line in without_comments(path).splitlines():
                self.assertNotRegex(line, r"(^|[;&|(]|then|do)\s*sudo ", path)


if __name__ == "__main__":
    unittest.main()
