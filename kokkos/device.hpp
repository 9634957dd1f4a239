#pragma once

// What an execution space cannot tell or do through Kokkos: facts, memory, time. One for each kind
// of space; nothing of Kokkos's compiler is needed to include this.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/accounting.hpp"
#include "common/backend.hpp"

namespace ladder::kokkos {

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  DeviceFacts facts;

  virtual std::vector<Fact> conditions() = 0;
  virtual std::string memory_space() const = 0;
  virtual std::size_t free_bytes() = 0;
  /// Aligned to 256 bytes or more. Throws `NotPossible` where there is not enough.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  /// Both return when they have finished.
  virtual void upload(void* destination, const void* source, std::size_t bytes) = 0;
  virtual void download(void* destination, const void* source, std::size_t bytes) = 0;
  /// Host memory of at least 64 bytes that `download` fills fastest.
  virtual void* landing() = 0;

  /// Threads are where they will be measured, from `arm` to `disarm`; nothing on a GPU.
  virtual void arm() {}
  virtual void disarm() {}

  /// What the kernels that `enqueue` launches occupy, one after another; they are not run. Nothing
  /// where that cannot be known without running them.
  virtual std::vector<Launch> look_at(const std::function<void()>& enqueue) {
    (void)enqueue;
    return {};
  }

  // As `Backend` has them.
  virtual bool has_timer() const { return false; }
  virtual void hold() {}
  virtual void mark_start() {}
  virtual void mark_stop() {}
  virtual bool release() { return true; }
  virtual double elapsed() { return 0; }
  virtual void synchronize() = 0;
  virtual std::optional<std::string> recover() { return std::nullopt; }
};

}  // namespace ladder::kokkos
