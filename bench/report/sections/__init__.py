"""The sections of a report, in its order: each is made of a View, and is nothing where the records do not have it."""

from . import ladder, machines, phi, portability

SECTIONS = [portability.section, phi.section, ladder.section, machines.section]
