"""The sections of a report, in its order: each is made from a View, and is None if the records lack its data. The first one,
glance, is never None."""

from . import accuracy, batch, energy, evidence, glance, ladder, machines, phi, scaling, sweeps

SECTIONS = [glance.section, phi.section, sweeps.section, scaling.section, energy.section, batch.section,
            ladder.section, ladder.spoiled, evidence.section, accuracy.section, machines.section]
