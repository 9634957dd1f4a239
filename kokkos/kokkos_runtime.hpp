#pragma once

#include <memory>

namespace ladder::kokkos {

/// Kokkos, started once per process by the first backend that opens. It ends with its last owner
/// and cannot be restarted.
class Runtime {
 public:
  /// Starts Kokkos on GPU `device` if a GPU space exists, and with `threads` threads if a
  /// multithreaded space exists (0: one per available core). Throws `NotPossible` if Kokkos runs on
  /// another device, has ended or cannot start.
  static std::shared_ptr<Runtime> start(int device, unsigned threads = 0);

  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();

 private:
  Runtime(int device, unsigned threads);
  int device_;
};

}  // namespace ladder::kokkos
