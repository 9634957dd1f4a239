#pragma once

// Error checks of the CUDA run-time library: functions that throw, naming the place that asked.

#include <source_location>
#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace ladder::nvidia {

/// What the CUDA run-time library answered. The error is still set: `recover` of the backend clears
/// it.
class Error : public std::runtime_error {
 public:
  Error(cudaError_t code, const std::string& sentence)
      : std::runtime_error(sentence), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

[[noreturn]] inline void fail(cudaError_t code, const std::source_location& where) {
  const std::string file = where.file_name();
  throw Error(code, std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ", " +
                        file.substr(file.find_last_of('/') + 1) + ":" +
                        std::to_string(where.line()) + ")");
}

/// Throws `Error` unless `code` is a success.
inline void check(cudaError_t code, std::source_location where = std::source_location::current()) {
  if (code != cudaSuccess) [[unlikely]]
    fail(code, where);
}

}  // namespace ladder::nvidia
