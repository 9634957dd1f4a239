#pragma once

/// Version of the header's kernels and arguments, as an inline namespace. Instantiations also have
/// hidden visibility, so each library of a process launches its own kernels, even if compiled for
/// other GPUs or with another version.
#define LADDER_VERSION inline v1
