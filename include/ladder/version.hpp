#pragma once

/// The version of the header's kernels and their arguments, an inline namespace. What is
/// instantiated in it is hidden besides: two libraries of one process that were compiled for other
/// GPUs, or with another version, each launch their own kernels.
#define LADDER_VERSION inline v1
