#pragma once

#include <cstddef>

namespace ladder::bench {

/// How many columns there are to print in: those of the terminal `file` is, else what COLUMNS says,
/// else, as in a file, no end of them.
std::size_t columns_of(int file);

}  // namespace ladder::bench
