"""The sections of a report, in its order: each is made of a View, and is nothing where the records do not have it."""

from . import (
            accuracy,
            energy,
            evidence,
            ladder,
            libraries,
            machines,
            models,
            phi,
            portability,
            shares,
            sizes,
            sweeps,
            threads,
)
from .ladder import wrong_by_mistake  # noqa: F401

SECTIONS = [models.section, portability.section, libraries.section, phi.section, sizes.section,
            sweeps.section, threads.section, shares.section, energy.section, ladder.section, ladder.spoiled, evidence.section,
            accuracy.section, machines.section]
SHOWN_BY_PICKER = {"portability", "sizes", "phi"}  # whose figures the page draws anew, from their numbers
