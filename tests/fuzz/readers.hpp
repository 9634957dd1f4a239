#pragma once

// Readers of bytes from outside, each with the promises of its documentation. A reader may refuse
// its input by the exception that it documents; any other exception ends the program.

#include <string_view>

namespace ladder::fuzz {

using Reader = void (*)(std::string_view bytes);

/// Ends the program with status 2 if there is no such reader.
Reader reader_named(std::string_view name);

/// Gives the bytes to the reader; aborts if a promise is broken.
void read(Reader reader, std::string_view bytes);

}  // namespace ladder::fuzz
