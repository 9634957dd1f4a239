#pragma once

// What the fuzz targets share: one source a reader, each with the one function that libFuzzer, or
// replay.cpp, calls with bytes from outside. A reader may refuse them by the exception that it is
// documented to throw, and by no other; what it takes has to be what its documentation promises.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace ladder::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the program where a promise does not hold.
inline void expect(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/// A file of this process, in memory where the system has such a folder.
const std::string& file_with(std::string_view bytes);

}  // namespace ladder::fuzz
