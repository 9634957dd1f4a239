"""The sections of a report, in its order: each is made of a View, and is nothing where the records do not have it."""

from . import accuracy, caches, evidence, ladder, libraries, machines, phi, portability, published, scopes, sizes, sweeps

SECTIONS = [one.section for one in (portability, libraries, phi, sizes, scopes, caches, sweeps, ladder, evidence, published, accuracy,
                                    machines)]
