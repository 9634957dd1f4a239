#pragma once

// Error checks of the HIP run-time library: functions that throw, naming the place that asked.

#include <source_location>
#include <stdexcept>
#include <string>

#include <hip/hip_runtime.h>

namespace ladder::hip_runtime {

/// What the HIP run-time library answered. The error is still set: `recover` of the backend clears
/// it.
class Error : public std::runtime_error {
 public:
  Error(hipError_t code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  hipError_t code() const { return code_; }

 private:
  hipError_t code_;
};

[[noreturn]] inline void fail(hipError_t code, const std::source_location& where) {
  const std::string file = where.file_name();
  throw Error(code, std::string(hipGetErrorString(code)) + " (" + hipGetErrorName(code) + ", " +
                        file.substr(file.find_last_of('/') + 1) + ":" +
                        std::to_string(where.line()) + ")");
}

/// Throws `Error` unless `code` is a success.
inline void check(hipError_t code, std::source_location where = std::source_location::current()) {
  if (code != hipSuccess) [[unlikely]]
    fail(code, where);
}

}  // namespace ladder::hip_runtime
