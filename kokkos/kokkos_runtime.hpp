#pragma once

#include <memory>

namespace ladder::kokkos {

/// Kokkos, started once in a process: by the first backend that is opened. It ends with the last
/// one that holds it, and cannot be started again then.
class Runtime {
 public:
  /// With GPU `device` where there is a space for GPUs, and `threads` threads where there is one
  /// for several; 0: one for each core that may be used. Throws `NotPossible` where it runs with
  /// another device, has ended, or cannot start.
  static std::shared_ptr<Runtime> start(int device, unsigned threads = 0);

  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();

 private:
  Runtime(int device, unsigned threads);
  int device_;
};

}  // namespace ladder::kokkos
