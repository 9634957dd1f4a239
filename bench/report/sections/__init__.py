"""The sections of a report, in its order: each is made from a View, and is None if the records lack its data."""

from . import accuracy, batch, energy, evidence, ladder, machines, phi, scaling, sweeps
from .ladder import wrong_by_mistake  # noqa: F401

SECTIONS = [phi.section, sweeps.section, scaling.section, energy.section,
            batch.section, ladder.section, ladder.spoiled, evidence.section, accuracy.section, machines.section]
