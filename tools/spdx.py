#!/usr/bin/env python3
"""ladder.spdx.json, the list of what is shipped (SPDX 2.3): the project, what a bundle holds beside it, under which licence it
is, and of what the build fetches the archive with its hash, as cmake/ names them.

spdx.py [--check]    writes it; --check says whether it is what it would write, by exit status 1"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIST = ROOT / "ladder.spdx.json"
HOME = "https://spdx.org/spdxdocs/reduction-ladder"

# What cmake/ fetches where the system lacks it: its licence, and whether it is in a bundle or of the tests alone.
FETCHED = {
    "benchmark": ("Apache-2.0", True), "googletest": ("BSD-3-Clause", False), "rapidcheck": ("BSD-2-Clause", False),
    "cli11": ("BSD-3-Clause", True), "nlohmann_json": ("MIT", True), "highway": ("Apache-2.0", True),
    "kokkos": ("Apache-2.0 WITH LLVM-exception", True)}
# What a bundle takes from the system that it is made on, in the version that is there.
OF_THE_SYSTEM = {
    "hwloc": "BSD-3-Clause", "oneTBB": "Apache-2.0", "Eigen": "MPL-2.0", "OpenBLAS": "BSD-3-Clause",
    "Open MPI": "BSD-3-Clause-Open-MPI", "NCCL": "BSD-3-Clause", "RCCL": "BSD-3-Clause",
    "CCCL": "Apache-2.0 WITH LLVM-exception", "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgomp": "GPL-3.0-or-later WITH GCC-exception-3.1", "CUDA runtime": "LicenseRef-NVIDIA-EULA", "HIP headers": "MIT"}


def fetched():
    """{name: (version, hashes, address)} of each archive in the table of cmake/Dependencies.cmake."""
    found = {}
    for call in re.findall(r"^ladder_library\(([^()]*)\)", (ROOT / "cmake/Dependencies.cmake").read_text(), re.M):
        if source := re.search(r"SOURCE (\S+) (\S+)", call):
            hashes = re.findall(r"\b[0-9a-f]{64}\b", call)
            found[source[1]] = source[2], hashes, re.search(r"URLS\s+(\S+)", call)[1]
    return found


def package(name, licence, version=None, address=None, hashes=(), comment=None):
    found = {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name,
             "downloadLocation": address or "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
             "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
    if version:
        found["versionInfo"] = version
    if hashes:
        found["checksums"] = [{"algorithm": "SHA256", "checksumValue": hashes[0]}]
    if len(hashes) > 1:
        comment = f"The copy of the second address has SHA-256 {hashes[1]}."
    if comment:
        found["comment"] = comment
    return found


def document():
    version = re.search(r"^  VERSION ([\d.]+)$", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
    packages, relations = [package("reduction-ladder", "Apache-2.0", version)], []
    known = fetched()
    if known.keys() != FETCHED.keys():
        sys.exit(f"spdx: cmake/ fetches {', '.join(sorted(known))}; licences are known of {', '.join(sorted(FETCHED))}")
    for name, (licence, shipped) in FETCHED.items():
        packages.append(package(name, licence, known[name][0], known[name][2], known[name][1]))
        relations.append((packages[-1]["SPDXID"], "RUNTIME_DEPENDENCY_OF" if shipped else "TEST_DEPENDENCY_OF"))
    for name, licence in OF_THE_SYSTEM.items():
        packages.append(package(name, licence, comment="In a bundle, where it was there: in the version of its system."))
        relations.append((packages[-1]["SPDXID"], "OPTIONAL_DEPENDENCY_OF"))
    ladder = packages[0]["SPDXID"]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "reduction-ladder",
        "documentNamespace": f"{HOME}-{version}",
        "creationInfo": {"created": "2026-01-01T00:00:00Z", "creators": ["Tool: tools/spdx.py"]},
        "hasExtractedLicensingInfos": [{
            "licenseId": "LicenseRef-NVIDIA-EULA", "name": "NVIDIA Software License Agreement",
            "extractedText": "https://docs.nvidia.com/cuda/eula/"}],
        "packages": packages,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": ladder},
                          *({"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": ladder}
                            for one, kind in relations)]}


def main(arguments):
    wanted = json.dumps(document(), indent=1) + "\n"
    if arguments == ["--check"]:
        if not LIST.is_file() or LIST.read_text() != wanted:
            sys.exit(f"spdx: {LIST.name} is stale: run tools/spdx.py")
        return
    if arguments:
        sys.exit(__doc__)
    LIST.write_text(wanted)


if __name__ == "__main__":
    main(sys.argv[1:])
