"""The sections of a report, in its order: each is made of a View, and is nothing where the records do not have it."""

from . import accuracy, batch, energy, evidence, ladder, machines, phi, scaling, sweeps
from .ladder import wrong_by_mistake  # noqa: F401

SECTIONS = [phi.section, sweeps.section, scaling.section, energy.section,
            batch.section, ladder.section, ladder.spoiled, evidence.section, accuracy.section, machines.section]
