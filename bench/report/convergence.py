"""How much of its code an application has in common between platforms: lines that each platform uses, and their divergence.

An application is what somebody maintains to run on all platforms: a model, or *native*, which is CUDA on NVIDIA, HIP on AMD and
OpenMP on a CPU. Counted are the rungs and what they are written in, without comments, blank lines and library rungs. Which lines
a platform uses is what the preprocessor leaves of them there. Code divergence is the mean, over all pairs of platforms, of the
Jaccard distance of their lines (Harrell, Kitson, 2018); convergence is what is left of 1."""

import functools
import hashlib
import itertools
import pathlib
import re
import typing

ROOT = pathlib.Path(__file__).parents[2]
NATIVE = {"nvidia": "cuda", "amd": "hip", "host": "cpu"}
RUNS_ON = {"cuda": ("nvidia",), "hip": ("nvidia", "amd"), "cpu": ("host",)}  # another one, and native, anywhere
KNOWN = ("cuda", "hip", "kokkos", "cpu", "native")
SPACES = {"nvidia": "cuda", "amd": "hip", "host": "host"}  # kokkos/spaces/ has a file for each
DEFINED = {
    "nvidia": {"__CUDACC__": 1, "__CUDA_ARCH__": 900, "__HIP_PLATFORM_NVIDIA__": 1, "KOKKOS_ENABLE_CUDA": 1,
               "LADDER_KOKKOS_CUDA": 1, "LADDER_HIP_HIPCUB": 1},
    "amd": {"__HIP_PLATFORM_AMD__": 1, "__HIP_DEVICE_COMPILE__": 1, "__GFX9__": 1, "KOKKOS_ENABLE_HIP": 1, "LADDER_KOKKOS_HIP": 1,
            "LADDER_HIP_ROCPRIM": 1, "LADDER_HIP_HIPCUB": 1},
    "host": {"LADDER_KOKKOS_OPENMP": 1, "LADDER_HAVE_TBB": 1, "LADDER_HAVE_OPENBLAS": 1}}


class File(typing.NamedTuple):
    """A file as a platform uses it: numbers of its lines of code, from 1."""

    path: str
    id: str
    used: tuple
    unused: tuple


def folder_of(application, platform):
    return NATIVE[platform] if application == "native" else application


def supported(application, platform):
    return platform in RUNS_ON.get(application, DEFINED)


def holds(condition, defined):
    """Whether the condition of an #if is met: an integer expression of defined(), comparisons and names."""
    text = re.sub(r"//.*", "", condition)
    text = re.sub(r"defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)", lambda one: str(int((one[1] or one[2]) in defined)), text)
    text = re.sub(r"\b[A-Za-z_]\w*\b", lambda one: str(defined.get(one[0], 0)), text)
    text = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or ")).strip()
    try:
        if not re.fullmatch(r"(\d|\s|[()<>=]|!=|not|and|or)*", text):
            raise SyntaxError
        return bool(eval(text, {"__builtins__": {}}))  # digits and operators alone
    except SyntaxError:
        raise ValueError(f"#if {condition.strip()}: too much for this reader") from None


def split(text, defined):
    """(lines of code that are left, those that are not) of a source."""
    used, unused, open_ifs, block = [], [], [], False  # of each #if: whether its branch is taken, whether one was
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"/\*.*?\*/|//.*", "", line).strip()
        if block or code.startswith("/*"):
            block = "*/" not in line
            continue
        if not code:
            continue
        directive = re.match(r"#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)", code)
        around = open_ifs[:-1] if directive and directive[1] in ("elif", "else", "endif") else open_ifs
        outside = all(taken for taken, _ in around)
        (used if outside else unused).append(number)
        if not directive:
            continue
        word, condition = directive.groups()
        if word.startswith("if"):
            name = condition.strip()
            taken = outside and (holds(condition, defined) if word == "if" else (name in defined) == (word == "ifdef"))
            open_ifs.append((taken, taken))
        elif word == "endif":
            open_ifs.pop()
        else:
            _, before = open_ifs[-1]
            taken = outside and not before and (word == "else" or holds(condition, defined))
            open_ifs[-1] = taken, before or taken
    return tuple(used), tuple(unused)


@functools.cache
def files_of(application, platform):
    """The files of an application as a platform uses them; none where it is not known, or the sources are not here."""
    folder, found = ROOT / folder_of(application, platform), []
    if application not in KNOWN:  # a record may name anything
        return found
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.suffix not in (".hpp", ".cu", ".hip", ".cpp") or inside.parts[0] in ("library", "driver"):
            continue
        text = path.read_text(encoding="utf-8")
        mine = inside.parts[0] != "spaces" or path.suffix == ".hpp" or path.stem == SPACES[platform]
        used, unused = split(text, DEFINED[platform])
        found.append(File(path.relative_to(ROOT).as_posix(), hashlib.sha512(text.encode()).hexdigest(), *(
            (used, unused) if mine else ((), tuple(sorted(used + unused))))))
    return found


def lines_of(application, platform):
    return {(file.id, line) for file in files_of(application, platform) for line in file.used}


def divergence(application, platforms):
    """Of these platforms, one after the other as they are; nothing where there are fewer than two, or no sources."""
    lines = [lines_of(application, platform) for platform in platforms if supported(application, platform)]
    pairs = [1 - len(one & other) / len(one | other) for one, other in itertools.combinations(lines, 2) if one | other]
    return sum(pairs) / len(pairs) if pairs else None


def coverage(application, platform):
    """As the Code Base Investigator says it, and as p3-analysis reads it."""
    return [{"file": file.path, "id": file.id, "used_lines": list(file.used), "unused_lines": list(file.unused)}
            for file in files_of(application, platform)]


def kind_of(space):
    """The platform's kind, of a memory space's name."""
    return {"cuda": "nvidia", "hip": "amd"}.get(space.partition(":")[0], "host")
